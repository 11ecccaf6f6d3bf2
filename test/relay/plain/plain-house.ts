import { afterAll, beforeAll, expect } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { type FakeUpstream, startAnthropic, startGemini, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { requestIdOf } from '../ways.ts'

const models = [
  'text-embedding-3-small',
  'gpt-3.5-turbo',
  'tts-1',
  'gpt-4o-mini-tts',
  'whisper-1',
  'gpt-4o-transcribe',
  'gpt-image-1',
  'dall-e-3',
  'omni-moderation-latest',
  'rerank-2',
  'gpt-4o',
]

/** The program with three vendors behind it, a caller who can pay and one who cannot. */
export interface SampleHouse {
  readonly rig: Rig
  readonly openai: FakeUpstream
  readonly gemini: FakeUpstream
  readonly key: string
  readonly poor: string
  post(
    path: string,
    body: JsonObject | FormData,
    more?: { key?: string; signal?: AbortSignal },
  ): Promise<Response>
  /** What was charged by the time the answer was here. */
  charged(response: Response): Promise<number | undefined>
  /** Closes everything; tells what is wrong with the books and what the vendors did not like. */
  close(): Promise<readonly string[]>
}

/** Opened before the tests of a file; behind them its books agree, and vendors complained of what was meant alone. */
export function sampleHouse(meant = /^$/): SampleHouse {
  const house = {} as SampleHouse
  beforeAll(async () => {
    Object.assign(house, await openSampleHouse())
  })
  afterAll(async () => {
    expect((await house.close()).filter(wrong => !meant.test(wrong))).toEqual([])
  })
  return house
}

async function openSampleHouse(): Promise<SampleHouse> {
  const openai = await startOpenai()
  const gemini = await startGemini()
  const anthropic = await startAnthropic()
  let key = ''
  let poor = ''
  const rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    poor = (await books.addToken({ userId: await books.addUser({ quota: 10 }) })).key
    await books.addChannel({
      type: 1,
      baseUrl: openai.url,
      key: openai.key,
      models: [...models, 'my-ears'],
      mapping: { 'my-ears': 'whisper-1' },
    })
    await books.setOption('ModelRatio', JSON.stringify({ 'my-ears': 3 }))
    await books.addChannel({
      type: 24,
      baseUrl: gemini.url,
      key: gemini.key,
      models: [
        'gemini-embedding-001',
        'gemini-2.5-pro',
        'imagen-4.0-generate-001',
        'gemini-2.5-pro-preview-tts',
      ],
    })
    await books.addChannel({
      type: 14,
      baseUrl: anthropic.url,
      key: anthropic.key,
      models: ['claude-sonnet-4-6'],
    })
  })
  return {
    rig,
    openai,
    gemini,
    key,
    poor,
    post(path, body, more = {}) {
      const isForm = body instanceof FormData
      const type: Record<string, string> = isForm ? {} : { 'content-type': 'application/json' }
      return fetch(rig.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${more.key ?? key}`, ...type },
        body: isForm ? body : JSON.stringify(body),
        ...(more.signal ? { signal: more.signal } : {}),
      })
    },
    charged: response => rig.chargeOf(requestIdOf(response)),
    async close() {
      const wrong = [...(await rig.differences())]
      await rig.close()
      for (const fake of [openai, gemini, anthropic]) {
        wrong.push(...fake.complaints)
        await fake.stop()
      }
      return wrong
    },
  }
}
