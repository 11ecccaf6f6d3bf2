import { describe, expect, test } from 'bun:test'
import { requestIdOf } from '../ways.ts'
import { sampleHouse } from './plain-house.ts'

const house = sampleHouse()

function sound(model: string, bytes: number, more: Record<string, string> = {}): FormData {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(bytes)], 'talk "1".mp3', { type: 'audio/mpeg' }))
  form.append('model', model)
  for (const [name, value] of Object.entries(more)) form.append(name, value)
  return form
}

describe('transcripts', () => {
  test('by the second, under another name, with the file as it was', async () => {
    const response = await house.post(
      '/v1/audio/transcriptions',
      sound('my-ears', 30_000, { language: 'de' }),
    )
    const { text } = (await response.json()) as { text: string }
    expect(text).toContain('30000 bytes')
    const form = house.openai.requests.at(-1)?.form
    expect([form?.get('model'), form?.get('language')]).toEqual(['whisper-1', 'de'])
    expect((await house.rig.logOf(requestIdOf(response))).prompt_tokens).toBe(500)
    expect(await house.charged(response)).toBe(1500)
  })

  test('as words, for as long as its vendor says: that costs what the same does in JSON', async () => {
    for (const path of ['/v1/audio/transcriptions', '/v1/audio/translations']) {
      const response = await house.post(path, sound('whisper-1', 32_000, { response_format: 'text' }))
      expect(response.headers.get('content-type')).toStartWith('text/plain')
      const text = await response.text()
      expect([text.startsWith('{'), text.endsWith('\n')]).toEqual([false, true])
      expect(text).toContain('32000 bytes')
      expect((await house.rig.logOf(requestIdOf(response))).prompt_tokens).toBe(534)
    }
    const telling = await house.post(
      '/v1/audio/transcriptions',
      sound('gpt-4o-transcribe', 5000, { response_format: 'text' }),
    )
    expect(await telling.text()).toContain('5000 bytes')
    const { tally } = house.openai.served.at(-1) ?? { tally: { input: 0, output: 0 } }
    const row = await house.rig.logOf(requestIdOf(telling))
    expect([row.prompt_tokens, row.completion_tokens]).toEqual([tally.input, tally.output])
  })

  test('as words of a vendor that says nothing, by a guess from the size', async () => {
    house.openai.next({
      status: 200,
      headers: { 'Content-Type': 'text/plain' },
      body: Buffer.from('{ words }\n'),
    })
    const form = sound('whisper-1', 32_000, { response_format: 'text' })
    const response = await house.post('/v1/audio/translations', form)
    expect(await response.text()).toBe('{ words }\n')
    expect((await house.rig.logOf(requestIdOf(response))).prompt_tokens).toBe(34)
  })

  test('as words, but an error is none', async () => {
    const error = { message: 'no such sound', type: 'server_error' }
    const body = Buffer.from(JSON.stringify({ error }))
    house.openai.next({ status: 200, headers: { 'Content-Type': 'application/json' }, body })
    const form = sound('whisper-1', 32_000, { response_format: 'text' })
    const response = await house.post('/v1/audio/transcriptions', form)
    expect(response.status).toBe(502)
    expect((await house.rig.logOf(requestIdOf(response))).quota).toBe(0)
  })

  test('of a file that is squeezed hard, by the time that it takes to say them', async () => {
    const body = Buffer.from('thirty letters, again and more '.repeat(500))
    house.openai.next({ status: 200, headers: { 'Content-Type': 'text/plain' }, body })
    const form = sound('whisper-1', 8000, { response_format: 'text' })
    const response = await house.post('/v1/audio/transcriptions', form)
    expect((await response.text()).length).toBe(body.length)
    const minutes = (await house.rig.logOf(requestIdOf(response))).prompt_tokens / 1000
    expect(minutes).toBeWithin(10, 11)
  })

  test('as events', async () => {
    const response = await house.post(
      '/v1/audio/transcriptions',
      sound('gpt-4o-transcribe', 5000, { stream: 'true' }),
    )
    expect(await response.text()).toContain('transcript.text.done')
    const { tally } = house.openai.served.at(-1) ?? { tally: { input: 0, output: 0 } }
    const row = await house.rig.logOf(requestIdOf(response))
    expect([row.prompt_tokens, row.completion_tokens]).toEqual([tally.input, tally.output])
  })

  describe('of a vendor that tells the time beside tokens that are not of the sound', () => {
    const usage = {
      ...{ prompt_audio_seconds: 120, prompt_tokens: 3, completion_tokens: 41, total_tokens: 3794 },
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 3750 },
    }
    const told = (text: string) => ({ type: 'transcription.text.delta', text })
    const done = { type: 'transcription.done', model: 'm', text: 'all of it', usage }
    const hear = async (model: string, more: Record<string, string>, answer: object) => {
      house.openai.next(answer)
      const response = await house.post('/v1/audio/transcriptions', sound(model, 32_000, more))
      const text = await response.text()
      const { prompt_tokens, completion_tokens, quota } = await house.rig.logOf(requestIdOf(response))
      return { text, counts: [prompt_tokens, completion_tokens, quota] }
    }
    const events = (...all: object[]) => ({
      status: 200,
      headers: { 'Content-Type': 'text/event-stream' },
      body: all.map(one => `data: ${JSON.stringify(one)}\n\n`).join(''),
    })

    test('are paid by the time', async () => {
      const body = { text: 'all of it', language: null, segments: [], usage }
      expect((await hear('whisper-1', {}, { status: 200, body })).counts).toEqual([2000, 0, 6000])
      const asWords = await hear('whisper-1', { response_format: 'text' }, { status: 200, body })
      expect([asWords.text, asWords.counts]).toEqual(['all of it\n', [2000, 0, 6000]])
      const streamed = events(told('all '), told('of it'), done)
      expect((await hear('whisper-1', { stream: 'true' }, streamed)).counts).toEqual([2000, 0, 6000])
      const [heard, said] = (await hear('gpt-4o-transcribe', { stream: 'true' }, streamed)).counts
      expect([heard, said]).toEqual([2000, 3])
    })

    test('are paid as far as they came where they break off', async () => {
      const { counts } = await hear(
        'whisper-1',
        { stream: 'true' },
        events(told('thirty letters '.repeat(20))),
      )
      expect(counts[2]).toBeGreaterThan(0)
    })
  })

  test('of sound that is elsewhere, or there twice, are refused', async () => {
    const asked = house.openai.requests.length
    for (const name of ['url', 'file']) {
      const form = sound('whisper-1', 100, { [name]: 'https://sound.example/long.mp3' })
      expect((await house.post('/v1/audio/transcriptions', form)).status).toBe(400)
    }
    expect(house.openai.requests.length).toBe(asked)
  })

  test('of no form, or of a hostile one, are refused', async () => {
    const bodies: [string, string][] = [
      ['application/json', '{"model":"whisper-1"}'],
      [`multipart/form-data; boundary=${'-'.repeat(10_000)}`, '-'.repeat(1_000_000)],
      ['multipart/form-data; boundary=b', '--b\r\nX'],
    ]
    for (const [type, body] of bodies) {
      const headers = { authorization: `Bearer ${house.key}`, 'content-type': type }
      const response = await fetch(`${house.rig.url}/v1/audio/transcriptions`, {
        method: 'POST',
        headers,
        body,
      })
      expect([type.slice(0, 40), response.status]).toEqual([type.slice(0, 40), 400])
    }
  })
})
