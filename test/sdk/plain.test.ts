import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI, { toFile } from 'openai'
import type { Usage } from '../../server/ledger/price/price-snapshot.ts'
import { embed } from '../upstreams/openai/answer-embeddings.ts'
import { PNG, recordIds } from './conversation.ts'
import { expectOrder, type House, openHouse } from './house.ts'
import { catchError } from './sdk-errors.ts'

const ids = recordIds()
let house: House
let openai: OpenAI
beforeAll(async () => {
  const more = [
    'text-embedding-3-small',
    'gpt-image-1',
    'dall-e-3',
    'tts-1',
    'whisper-1',
    'gpt-4o-transcribe',
    'omni-moderation-latest',
    'gpt-4o',
  ]
  house = await openHouse({ more: { 'openai-chat': more, gemini: ['gemini-embedding-001'] } })
  openai = new OpenAI({
    apiKey: house.key,
    baseURL: `${house.rig.url}/v1`,
    maxRetries: 0,
    fetch: ids.fetch,
  })
})
afterAll(() => house.close())

async function expectCharge(model: string, usage: Usage): Promise<void> {
  expect(await house.rig.chargeOf(ids.last())).toBe(house.cost(model, usage))
}

describe('embeddings', () => {
  const input = ['one text', 'and another']

  test.each([undefined, 'float', 'base64'] as const)('as %s', async encoding_format => {
    const model = 'text-embedding-3-small'
    const { data, usage } = await openai.embeddings.create({ model, input, encoding_format })
    const expected = input.map(text => embed(text, 8))
    const given = data.map(({ embedding }) => unpack(embedding))
    expect(given).toEqual(expected)
    expect(usage).toEqual({ prompt_tokens: 5, total_tokens: 5 })
    await expectCharge(model, { input: 5 })
  })

  test.each([undefined, 'float', 'base64'] as const)('of Gemini, as %s', async encoding_format => {
    const model = 'gemini-embedding-001'
    const { data, usage } = await openai.embeddings.create({ model, input, encoding_format, dimensions: 4 })
    expect(data.map(({ embedding }) => unpack(embedding))).toEqual(input.map(text => embed(text, 4)))
    expect(data.map(({ index }) => index)).toEqual([0, 1])
    // Google does not count them, so they are counted here.
    expect(usage.prompt_tokens).toBeGreaterThan(0)
    await expectCharge(model, { input: usage.prompt_tokens })
  })
})

/** Who asks for base64 by name gets it; who does not gets numbers, whatever went over the wire. */
function unpack(embedding: number[] | string): number[] {
  if (typeof embedding !== 'string') return embedding
  const bytes = Uint8Array.from(Buffer.from(embedding, 'base64'))
  return [...new Float32Array(bytes.buffer)]
}

describe('images', () => {
  test('generated', async () => {
    const model = 'gpt-image-1'
    const { data, usage } = await openai.images.generate({ model, prompt: 'A cat on a mat', n: 2 })
    expect(data?.map(image => image.b64_json)).toEqual([PNG, PNG])
    expect(usage).toMatchObject({ input_tokens: 4, output_tokens: 544 })
    await expectCharge(model, { input: 4, output: 544 })
  })

  test('paid by the piece', async () => {
    const { data } = await openai.images.generate({
      model: 'dall-e-3',
      prompt: 'A cat',
      response_format: 'b64_json',
    })
    expect(data?.[0]?.b64_json).toBe(PNG)
    await expectCharge('dall-e-3', { calls: 1 })
  })

  test('edited', async () => {
    const model = 'gpt-image-1'
    const pictures = ['a.png', 'b.png'].map(name => toFile(Buffer.from(PNG, 'base64'), name))
    const { data, usage } = await openai.images.edit({
      model,
      prompt: 'Make it blue, mit Umlaut: ü',
      image: await Promise.all(pictures),
    })
    expect(data?.[0]?.b64_json).toBe(PNG)
    const form = house.seen('openai-chat').form
    expect(form?.get('prompt')).toBe('Make it blue, mit Umlaut: ü')
    expect(form?.getAll('image[]').length).toBe(2)
    expect(usage).toMatchObject({ input_tokens: 177, output_tokens: 272 })
    await expectCharge(model, { input: 7, imageInput: 170, output: 272 })
  })
})

describe('audio', () => {
  test('speech', async () => {
    const input = 'Guten Morgen, 世界'
    const answer = await openai.audio.speech.create({ model: 'tts-1', voice: 'alloy', input })
    expect(answer.headers.get('content-type')).toBe('audio/mpeg')
    expect(await answer.text()).toBe(input.repeat(10))
    await expectCharge('tts-1', { input: input.length })
  })

  const sound = () => toFile(Buffer.alloc(30_000, 7), 'speech.mp3')

  test('transcribed by the token', async () => {
    const model = 'gpt-4o-transcribe'
    const { text } = await openai.audio.transcriptions.create({ model, file: await sound() })
    expect(text).toBe('heard speech.mp3 of 30000 bytes')
    await expectCharge(model, { audioInput: 300, output: 8 })
  })

  test('transcribed in a stream', async () => {
    const model = 'gpt-4o-transcribe'
    const stream = await openai.audio.transcriptions.create({ model, file: await sound(), stream: true })
    let text = ''
    for await (const event of stream) if (event.type === 'transcript.text.delta') text += event.delta
    expect(text).toBe('heard speech.mp3 of 30000 bytes')
    await expectCharge(model, { audioInput: 300, output: 8 })
  })

  test('transcribed and translated by the minute', async () => {
    const model = 'whisper-1'
    for (const task of [openai.audio.transcriptions, openai.audio.translations]) {
      const { text } = await task.create({ model, file: await sound() })
      expect(text).toBe('heard speech.mp3 of 30000 bytes')
      await expectCharge(model, { audioInput: 500 })
    }
  })
})

test('moderations cost nothing', async () => {
  const { results } = await openai.moderations.create({
    model: 'omni-moderation-latest',
    input: ['some violence', 'peace'],
  })
  expect(results.map(result => result.flagged)).toEqual([true, false])
  expect(results[0]?.categories.violence).toBe(true)
  expect((await house.rig.chargeOf(ids.last())) || 0).toBe(0)
})

describe('completions', () => {
  const model = 'gpt-4o'
  const prompt = 'Once upon a time'
  const text = `You said: ${prompt}`
  // 4 for the prompt and 7 around it; 7 for what is said.
  const usage = { input: 11, output: 7 }

  test('whole', async () => {
    const completion = await openai.completions.create({ model, prompt, max_tokens: 100 })
    expect(completion.choices[0]).toMatchObject({ text, finish_reason: 'stop' })
    expect(completion.usage).toMatchObject({ prompt_tokens: usage.input, completion_tokens: usage.output })
    await expectCharge(model, usage)
  })

  test.each([true, false])('streamed, with usage %p', async include_usage => {
    const stream_options = include_usage ? { include_usage } : undefined
    const stream = await openai.completions.create({
      model,
      prompt,
      max_tokens: 100,
      stream: true,
      stream_options,
    })
    const chunks = await Array.fromAsync(stream)
    expect(chunks.map(chunk => chunk.choices[0]?.text ?? '').join('')).toBe(text)
    const told = chunks.map(chunk => chunk.usage?.completion_tokens).filter(Boolean)
    expect(told).toEqual(include_usage ? [usage.output] : [])
    await expectCharge(model, usage)
  })
})

test('what a vendor refuses is told in its words, and costs nothing', async () => {
  const fake = house.fakes['openai-chat']
  fake.next(fake.failWith('bad-request', 'Your text is too odd.'))
  const error = await catchError(openai.embeddings.create({ model: 'text-embedding-3-small', input: 'x' }))
  expect(error).toBeInstanceOf(OpenAI.BadRequestError)
  expect(error.message).toContain('Your text is too odd.')
  expect(await house.rig.chargeOf(ids.last())).toBeUndefined()
})

test('no vendor had to complain, and the books agree', () => expectOrder(house))
