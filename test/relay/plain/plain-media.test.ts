import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { until } from '../../program.ts'
import { serveLoopback } from '../../serve-loopback.ts'
import { under200 } from '../../upstreams/index.ts'
import { requestIdOf } from '../ways.ts'
import { sampleHouse } from './plain-house.ts'

const house = sampleHouse()

describe('pictures', () => {
  test('by the piece and by the token', async () => {
    const dall = await house.post('/v1/images/generations', { model: 'dall-e-3', prompt: 'a fox', n: 2 })
    expect(((await dall.json()) as { data: unknown[] }).data.length).toBe(2)
    expect(await house.charged(dall)).toBe(40_000)
    const gpt = await house.post('/v1/images/generations', { model: 'gpt-image-1', prompt: 'a fox' })
    await gpt.json()
    const { tally } = house.openai.served.at(-1) ?? { tally: { input: 0, output: 0 } }
    expect(await house.charged(gpt)).toBe(Math.round(tally.input * 2.5 + tally.output * 20))
  })

  test('by size and quality, and the row tells both the price and why', async () => {
    const asked = { model: 'dall-e-3', prompt: 'a fox', n: 2, size: '1024x1792', quality: 'hd' }
    const response = await house.post('/v1/images/generations', asked)
    await response.json()
    expect(await house.charged(response)).toBe(120_000)
    const { other } = await house.rig.logOf(requestIdOf(response))
    expect(JSON.parse(other)).toMatchObject({
      model_price: 0.12,
      calls: 2,
      image_size: '1024x1792',
      image_quality: 'hd',
    })
    const poor = await house.post('/v1/images/generations', asked, { key: house.poor })
    expect(poor.status).toBe(403)
  })

  test('by the token, of which a vendor that counts none is taken to have used what such a picture takes', async () => {
    const tokens = async (more: JsonObject) => {
      house.openai.next({ usage: 'none' })
      const response = await house.post('/v1/images/generations', {
        model: 'gpt-image-1',
        prompt: 'a fox',
        ...more,
      })
      await response.json()
      return (await house.rig.logOf(requestIdOf(response))).completion_tokens
    }
    expect(await tokens({})).toBe(1056)
    expect(await tokens({ quality: 'low', size: '1024x1536' })).toBe(408)
    expect(await tokens({ quality: 'high', size: '1536x1024', n: 2 })).toBe(2 * 6208)
    expect(await tokens({ quality: 'auto', size: 'auto' })).toBe(1056)
  })

  test('fewer than asked for cost what came', async () => {
    house.openai.next({ body: { created: 1, data: [{ url: 'http://127.0.0.1:1/x.png' }] } })
    const response = await house.post('/v1/images/generations', { model: 'dall-e-3', prompt: 'a fox', n: 3 })
    await response.json()
    expect(await house.charged(response)).toBe(20_000)
  })

  test('counts that nobody can mean are refused before anyone is asked', async () => {
    const asked = house.openai.requests.length
    for (const n of ['-1', '0', '0.5', '18446744073686646784', '1e400', '"5"', '129']) {
      const response = await fetch(`${house.rig.url}/v1/images/generations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${house.key}`, 'content-type': 'application/json' },
        body: `{"model":"dall-e-3","prompt":"a","n":${n}}`,
      })
      expect([n, response.status]).toEqual([n, 400])
      const { error } = (await response.json()) as { error: { param: string } }
      expect(error.param).toBe('n')
    }
    expect(house.openai.requests.length).toBe(asked)
  })

  test('who cannot pay is not served', async () => {
    const asked = house.openai.requests.length
    const response = await house.post(
      '/v1/images/generations',
      { model: 'dall-e-3', prompt: 'a' },
      { key: house.poor },
    )
    expect(response.status).toBe(403)
    expect(house.openai.requests.length).toBe(asked)
  })

  test('streamed: the last picture comes when it is paid', async () => {
    const picture = (type: string, more = '') =>
      `event: ${type}\ndata: {"type":"${type}","b64_json":"AAAA"${more}}\n\n`
    const usage = ',"usage":{"total_tokens":282,"input_tokens":10,"output_tokens":272}'
    const done = picture('image_generation.completed', usage)
    house.openai.next({
      status: 200,
      headers: { 'Content-Type': 'text/event-stream' },
      body: picture('image_generation.partial_image') + done,
    })
    const response = await house.post('/v1/images/generations', {
      model: 'gpt-image-1',
      prompt: 'a',
      stream: true,
      partial_images: 1,
    })
    expect(response.headers.get('content-type')).toStartWith('text/event-stream')
    expect(await response.text()).toEndWith(done)
    expect(await house.charged(response)).toBe(Math.round(10 * 2.5 + 272 * 20))
  })

  test.each(['/v1/images/edits', '/v1/edits'])(
    'edited at %s: files and fields arrive as sent',
    async path => {
      const form = new FormData()
      form.append('model', 'gpt-image-1')
      form.append('prompt', 'wëb')
      for (const name of ['a.png', 'b.png'])
        form.append('image[]', new File([name], name, { type: 'image/png' }))
      const response = await house.post(path, form)
      expect(response.status).toBe(200)
      expect(house.openai.requests.at(-1)?.path).toBe('/v1/images/edits')
      const seen = house.openai.requests.at(-1)?.form
      expect(seen?.get('prompt')).toBe('wëb')
      const files = (seen?.getAll('image[]') ?? []) as File[]
      expect(files.map(file => [file.name, file.type])).toEqual([
        ['a.png', 'image/png'],
        ['b.png', 'image/png'],
      ])
      expect(await house.charged(response)).toBeGreaterThan(0)
    },
  )

  test('an answer beyond what is held passes, byte for byte', async () => {
    const head = '{"created":1,"data":[{"b64_json":"'
    const body = `${head}${'A'.repeat(34 * 1024 * 1024)}"}],"usage":{"input_tokens":10,"output_tokens":272,"total_tokens":282}}`
    house.openai.next({ body: new TextEncoder().encode(body) })
    const response = await house.post('/v1/images/generations', { model: 'gpt-image-1', prompt: 'a' })
    expect((await response.text()) === body).toBe(true)
    expect(await house.charged(response)).toBe(Math.round(10 * 2.5 + 272 * 20))
  })
})

describe('what nobody may have is the caller’s fault, however often it is asked for', () => {
  const error = { type: 'image_generation_user_error', code: 'moderation_blocked', message: 'No.' }
  const refusal = `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`

  test('instead of pictures', async () => {
    for (let at = 0; at < 6; at++) {
      house.openai.next({ status: 200, headers: { 'Content-Type': 'text/event-stream' }, body: refusal })
      const asked = { model: 'gpt-image-1', prompt: 'a', stream: true }
      const response = await house.post('/v1/images/generations', asked)
      expect([response.status, await response.json()]).toEqual([
        400,
        { error: expect.objectContaining({ code: 'moderation_blocked' }) },
      ])
    }
  })

  test('in the midst of speech', async () => {
    const asked = { model: 'gpt-4o-mini-tts', input: 'x'.repeat(200), voice: 'alloy', stream_format: 'sse' }
    for (let at = 0; at < 6; at++) {
      // Not before the answer has begun.
      const begun = Promise.withResolvers<void>()
      house.openai.next({
        frames: frames => [...frames.slice(0, 2), refusal],
        hold: { afterFrames: 2, until: begun.promise },
      })
      const response = await house.post('/v1/audio/speech', asked)
      begun.resolve()
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining(error.code)])
    }
    expect(await (await house.post('/v1/audio/speech', asked)).text()).toContain('speech.audio.done')
  })
})

describe('speech', () => {
  test('is paid by the character, and its bytes pass', async () => {
    const asked = { model: 'tts-1', input: 'good morning 😀', voice: 'alloy', response_format: 'opus' }
    const response = await house.post('/v1/audio/speech', asked)
    expect(response.headers.get('content-type')).toBe('audio/opus')
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(asked.input.repeat(10))
    expect((await house.rig.logOf(requestIdOf(response))).prompt_tokens).toBe(14)
    expect(await house.charged(response)).toBe(Math.round(14 * 7.5))
  })

  test('as events, by what they tell', async () => {
    const asked = { model: 'gpt-4o-mini-tts', input: 'good morning', voice: 'alloy', stream_format: 'sse' }
    const response = await house.post('/v1/audio/speech', asked)
    expect(await response.text()).toContain('speech.audio.done')
    const { tally } = house.openai.served.at(-1) ?? { tally: { input: 0, output: 0 } }
    const row = await house.rig.logOf(requestIdOf(response))
    expect([row.prompt_tokens, row.completion_tokens]).toEqual([tally.input, tally.output])
    expect(row.details.audio_output).toBe(tally.output)
  })

  test('that breaks off is paid in part, and does not look whole', async () => {
    house.openai.next({ cutAfterBytes: 2_000_000, onceRead: true })
    const response = await house.post('/v1/audio/speech', {
      model: 'tts-1',
      input: 'x'.repeat(400_000),
      voice: 'alloy',
    })
    const ended = await response.arrayBuffer().then(
      () => 'whole',
      () => 'broken',
    )
    expect(ended).toBe('broken')
    const { prompt_tokens } = await house.rig.logOf(requestIdOf(response))
    expect(prompt_tokens).toBeGreaterThan(0)
    expect(prompt_tokens).toBeLessThanOrEqual(2000)
  })

  test('that comes as an error is none', async () => {
    house.openai.next(under200(house.openai.failWith('overloaded')))
    const response = await house.post('/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'alloy' })
    expect(response.status).toBeGreaterThanOrEqual(500)
    expect(await house.charged(response)).toBeUndefined()
  })

  test('that breaks off before anything was handed on costs nothing', async () => {
    house.openai.next({ cutAfterBytes: 1000 })
    const response = await house.post('/v1/audio/speech', {
      model: 'tts-1',
      input: 'x'.repeat(2000),
      voice: 'alloy',
    })
    expect(response.status).toBe(502)
    expect(await house.charged(response)).toBeUndefined()
  })

  test('waits for a slow client; when that leaves it is paid once, and the upstream is told', async () => {
    const size = 50_000_000
    house.openai.next({
      body: new Uint8Array(size),
      headers: { 'Content-Type': 'audio/mpeg' },
      chunkBytes: 100_000,
    })
    const leaving = new AbortController()
    const asked = { model: 'tts-1', input: 'hello', voice: 'alloy' }
    const response = await house.post('/v1/audio/speech', asked, { signal: leaving.signal })
    await response.body?.getReader().read()
    const served = house.openai.served.at(-1)
    leaving.abort()
    await served?.done
    expect(served?.aborted).toBe(true)
    expect(served?.bytes).toBeLessThan(size)
    expect((await house.rig.logOf(requestIdOf(response))).prompt_tokens).toBe(5)
  })
})

test('what is to be spoken is held for by how long it may last, not by its letters', async () => {
  const userId = await house.rig.addUser({ quota: 5000 })
  const { key } = await house.rig.addToken({ userId })
  const asked = { model: 'gpt-4o-mini-tts', input: '您好', voice: 'alloy' }
  const response = await house.post('/v1/audio/speech', asked, { key })
  expect([response.status, (await response.bytes()).length]).toEqual([200, expect.any(Number)])
  const { held } = await house.rig.store.db
    .selectFrom('holds')
    .select('held')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  // A second at the least: twenty tokens of sound, at 12 dollars a million.
  expect(held).toBeGreaterThanOrEqual(20 * 6)
})

/** A worker that is killed leaves to the others what it noted on the way. */
describe('speech under way notes what it has come to', () => {
  const checkpointOf = async (requestId: string): Promise<number> => {
    const { checkpoint } = await house.rig.store.db
      .selectFrom('holds')
      .select('checkpoint')
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow()
    return checkpoint
  }

  test('of bytes', async () => {
    const gate = Promise.withResolvers<void>()
    const server = serveLoopback(
      () => new Response(soundUntil(gate.promise), { headers: { 'content-type': 'audio/mpeg' } }),
    )
    await house.rig.addChannel({ type: 1, baseUrl: server.url.origin, key: 'sk-sound', models: ['tts-1-hd'] })
    const asked = { model: 'tts-1-hd', input: 'x'.repeat(200), voice: 'alloy' }
    const response = await until(async () => {
      const answer = await house.post('/v1/audio/speech', asked)
      return answer.ok ? answer : undefined
    })
    // 40,000 bytes are at least forty characters, at 30 dollars a million.
    await until(async () => (await checkpointOf(requestIdOf(response))) === 40 * 15)
    gate.resolve()
    expect((await response.arrayBuffer()).byteLength).toBe(60_000)
    expect(await house.charged(response)).toBe(200 * 15)
    await server.stop(true)
  })

  test('of events, which are also paid when their reader leaves', async () => {
    house.openai.next({ hold: { afterFrames: 40, until: new Promise(() => {}) } })
    const input = 'x'.repeat(1000)
    const asked = { model: 'gpt-4o-mini-tts', input, voice: 'alloy', stream_format: 'sse' }
    const leaving = new AbortController()
    const response = await house.post('/v1/audio/speech', asked, { signal: leaving.signal })
    const reader = response.body?.getReader()
    await reader?.read()
    const noted = await until(() => checkpointOf(requestIdOf(response)))
    leaving.abort()
    const { quota } = await house.rig.logOf(requestIdOf(response))
    expect(quota).toBeGreaterThan(noted)
  })
})

function soundUntil(gate: Promise<void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      for (let at = 0; at < 40; at++) {
        controller.enqueue(new Uint8Array(1000))
        await Bun.sleep(1)
      }
      await gate
      controller.enqueue(new Uint8Array(20_000))
      controller.close()
    },
  })
}
