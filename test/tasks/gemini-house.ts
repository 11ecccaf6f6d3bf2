import { ApiError, GoogleGenAI } from '@google/genai'
import { type FakeKept, startGeminiKept } from '../upstreams/gemini-kept/start-gemini-kept.ts'
import { looksWhenTold, openTaskHouse, type TaskHouse } from './house.ts'

/** A house with two Gemini channels, one of two accounts, and people with Google's own client. */
export interface GeminiHouse extends TaskHouse {
  readonly upstream: FakeKept
  readonly google: GoogleGenAI
  readonly visitor: GoogleGenAI
  clientOf(key: string): GoogleGenAI
  /** A user of their own. */
  newcomer(): Promise<{ userId: number; key: string; google: GoogleGenAI }>
}

export async function openGeminiHouse(environment: Record<string, string> = {}): Promise<GeminiHouse> {
  const upstream = startGeminiKept()
  const quiet = { ...looksWhenTold, ...environment }
  const house = await openTaskHouse(async rig => {
    const [one = '', two = ''] = upstream.keys
    const groups = ['default', 'vip']
    const place = { type: 24, baseUrl: upstream.url, groups }
    await rig.addChannel({ ...place, key: `${one}\n${two}`, models: ['g-flash', 'g-pro', 'g-bare'] })
    // Of higher priority, but it serves less: what is kept there could not be used with the other models.
    await rig.addChannel({ ...place, key: one, models: ['g-flash'], priority: 10 })
    await rig.addChannel({
      type: 1,
      baseUrl: upstream.url,
      key: 'none',
      models: ['o-chat'],
      groups: ['other'],
    })
    await rig.setOption('ModelRatio', '{"g-flash":1,"g-pro":2,"g-bare":1,"o-chat":1}')
    await rig.setOption('CompletionRatio', '{"g-flash":4,"g-pro":4,"g-bare":4}')
    await rig.setOption('CacheRatio', '{"g-flash":0.25,"g-pro":0.25}')
    await rig.setOption('ToolPrice', '{"g-flash:cache_storage":1,"g-pro:cache_storage":4.5}')
    await rig.setOption('GroupRatio', '{"default":1,"vip":3,"other":1}')
    await rig.setOption('UserUsableGroups', '{"default":"a","vip":"b","other":"c"}')
  }, quiet)
  const clientOf = (apiKey: string): GoogleGenAI =>
    new GoogleGenAI({
      apiKey,
      httpOptions: { baseUrl: house.url, headers: { 'accept-language': 'en' } },
    })
  return {
    ...house,
    upstream,
    google: clientOf(house.payer.key),
    visitor: clientOf(house.stranger.key),
    clientOf,
    async newcomer() {
      const userId = await house.addUser({ quota: 50_000_000 })
      const { key } = await house.addToken({ userId })
      return { userId, key, google: clientOf(key) }
    },
    async close() {
      await house.close()
      await upstream.stop()
    },
  }
}

/** What Google's client throws. */
export async function failureOf(asked: Promise<unknown>): Promise<{ status: number; message: string }> {
  try {
    await asked
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, message: error.message }
    throw error
  }
  throw new Error('it did not fail')
}
