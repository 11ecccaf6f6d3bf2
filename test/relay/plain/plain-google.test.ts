import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { requestIdOf } from '../ways.ts'
import { sampleHouse } from './plain-house.ts'

// What this vendor is asked on purpose that it does not do.
const house = sampleHouse(/sampleCount|Voice name/)

interface Refused {
  readonly error: { readonly message: string; readonly code: unknown }
}

describe('pictures', () => {
  const draw = (more: JsonObject = {}) =>
    house.post('/v1/images/generations', { model: 'imagen-4.0-generate-001', prompt: 'a fox', ...more })

  test.each<[JsonObject, JsonObject]>([
    [{}, {}],
    [{ size: '1024x1024', quality: 'hd', user: 'me' }, { aspectRatio: '1:1' }],
    [{ size: '1024x1536' }, { aspectRatio: '3:4' }],
    [{ size: '1792x1024' }, { aspectRatio: '16:9' }],
    [{ size: '9:16' }, { aspectRatio: '9:16' }],
    [{ size: 'auto' }, {}],
    [{ size: '0x0' }, {}],
    [{ output_format: 'jpeg', response_format: 'b64_json' }, { outputOptions: { mimeType: 'image/jpeg' } }],
  ])('%j is asked as %j and paid by the piece', async (asked, parameters) => {
    const response = await draw(asked)
    expect(response.status).toBe(200)
    const { data } = (await response.json()) as { data: { b64_json: string }[] }
    expect(data.map(one => Buffer.from(one.b64_json, 'base64').subarray(1, 4).toString())).toEqual(['PNG'])
    expect(house.gemini.requests.at(-1)?.json).toEqual({
      instances: [{ prompt: 'a fox' }],
      parameters: { sampleCount: 1, includeRaiReason: true, ...parameters },
    })
    expect(await house.charged(response)).toBe(20_000)
  })

  test('several, of which some were held back', async () => {
    const picture = { mimeType: 'image/png', bytesBase64Encoded: 'AAAA' }
    house.gemini.next({ body: { predictions: [picture, { raiFilteredReason: 'no' }, picture] } })
    const response = await draw({ n: 3 })
    expect(((await response.json()) as { data: unknown[] }).data.length).toBe(2)
    expect(await house.charged(response)).toBe(40_000)
  })

  test('all held back: the reason is told, and nothing is paid', async () => {
    house.gemini.next({ body: { predictions: [{ raiFilteredReason: 'Unable to show generated images.' }] } })
    const response = await draw()
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as Refused
    expect(error.message).toContain('Unable to show generated images.')
    expect(error.code).toBe('content_policy_violation')
    expect(await house.charged(response)).toBeUndefined()
  })

  test.each<[JsonObject, RegExp]>([
    [{ response_format: 'url' }, /response_format url/],
    [{ output_format: 'webp' }, /output_format webp/],
    [{ output_format: '__proto__' }, /output_format __proto__/],
    [{ n: 5 }, /sampleCount must be between 1 and 4/],
    [{ model: 'gemini-2.5-pro' }, /images/],
  ])('%j is refused in words', async (asked, words) => {
    const response = await draw(asked)
    expect(response.status).toBe(400)
    expect(((await response.json()) as Refused).error.message).toMatch(words)
    expect(await house.charged(response)).toBeUndefined()
  })
})

describe('speech', () => {
  const speak = (more: JsonObject = {}) =>
    house.post('/v1/audio/speech', {
      model: 'gemini-2.5-pro-preview-tts',
      input: 'good morning',
      voice: 'Kore',
      ...more,
    })

  test('as samples, and as a file of them', async () => {
    const pcm = await speak({ response_format: 'pcm' })
    expect(pcm.headers.get('content-type')).toBe('audio/pcm')
    const bare = Buffer.from(await pcm.arrayBuffer())
    expect(bare.length).toBe('good morning'.length * 200)
    const wav = await speak({ response_format: 'wav' })
    expect(wav.headers.get('content-type')).toBe('audio/wav')
    const file = Buffer.from(await wav.arrayBuffer())
    expect(file.subarray(44).equals(bare)).toBe(true)
    expect([file.toString('latin1', 0, 4), file.readUInt32LE(4)]).toEqual(['RIFF', 36 + bare.length])
    expect(file.toString('latin1', 8, 16)).toBe('WAVEfmt ')
    // One channel of 24,000 samples a second, two bytes each.
    expect([file.readUInt16LE(20), file.readUInt16LE(22), file.readUInt32LE(24)]).toEqual([1, 1, 24_000])
    expect([file.readUInt32LE(28), file.readUInt16LE(32), file.readUInt16LE(34)]).toEqual([48_000, 2, 16])
    expect([file.toString('latin1', 36, 40), file.readUInt32LE(40)]).toEqual(['data', bare.length])
  })

  test('is paid as the vendor counts', async () => {
    const response = await speak({ response_format: 'wav', instructions: 'Say cheerfully:' })
    await response.arrayBuffer()
    const { tally } = house.gemini.served.at(-1) ?? { tally: { input: 0, output: 0 } }
    expect(JSON.stringify(house.gemini.requests.at(-1)?.json)).toContain('"Say cheerfully: good morning"')
    const row = await house.rig.logOf(requestIdOf(response))
    expect([row.prompt_tokens, row.completion_tokens]).toEqual([tally.input, tally.output])
    expect(row.details.audio_output).toBe(tally.output)
    expect(await house.charged(response)).toBe(Math.round(tally.input * 0.625 + tally.output * 5))
  })

  test('whose vendor does not count is paid by the character', async () => {
    house.gemini.next({ usage: 'none' })
    const response = await speak({ response_format: 'pcm' })
    await response.arrayBuffer()
    expect(await house.charged(response)).toBe(Math.round(12 * 0.625 + 12 * 5))
  })

  test.each<[JsonObject, RegExp]>([
    [{}, /response_format mp3（请使用 wav 或 pcm）/],
    [{ response_format: 'opus' }, /response_format opus/],
    [{ response_format: 'wav', speed: 1.5 }, /speed/],
    [{ response_format: 'wav', stream_format: 'sse' }, /stream_format sse/],
    [{ response_format: 'wav', voice: 'alloy' }, /Voice name alloy is not supported/],
    [{ response_format: 'wav', model: 'gemini-2.5-pro' }, /speech/],
  ])('%j is refused in words', async (asked, words) => {
    const response = await speak(asked)
    expect(response.status).toBe(400)
    expect(((await response.json()) as Refused).error.message).toMatch(words)
    expect(await house.charged(response)).toBeUndefined()
  })
})
