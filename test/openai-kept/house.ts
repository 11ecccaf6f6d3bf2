import OpenAI from 'openai'
import { morePatience } from '../more-patience.ts'
import { recordIds } from '../sdk/conversation.ts'
import { openTaskHouse, type TaskHouse } from '../tasks/house.ts'
import { type FakeUpstream, startAnthropic, startAzure, startOpenai } from '../upstreams/index.ts'

/** Which both of OpenAI's channels have. */
export const MODEL = 'gpt-5.4'
/** Which only the first has: so what is kept is kept there. */
export const FIRST = 'gpt-5.4-mini'
/** Which only the second has. */
export const SECOND = 'gpt-5.5'
/** Which both have too, and which draws. */
export const PICTURES = 'gpt-image-1'
export const AZURE = 'gpt-5.4-azure'
/** Of a vendor that keeps nothing, in a group of its own. */
export const CLAUDE = 'claude-sonnet-4-6'

/** What is not noted in two seconds, nobody finds. The ledger's beat is as long, and is still one. */
const patience = morePatience({ 2000: 6000 })
const KEYS = ['sk-upstream-one-0123456789', 'sk-upstream-two-0123456789'] as const

/** A house whose channels keep things: one of two accounts, one of another, and Azure; with OpenAI's own SDK before it. */
export interface KeptHouse extends TaskHouse {
  /** Of the channel with two keys. */
  readonly first: FakeUpstream
  readonly second: FakeUpstream
  readonly azure: FakeUpstream
  readonly client: OpenAI
  readonly visitor: OpenAI
  clientOf(key: string, url?: string): OpenAI
  /** A user of their own. */
  newcomer(group?: string): Promise<{ userId: number; key: string; client: OpenAI }>
  /** What the books call the request that was answered last. */
  lastId(): string
  /** How many requests have reached OpenAI's accounts. */
  asked(): number
}

export async function openKeptHouse(
  settings: Readonly<Record<string, string>> = {},
  environment: Record<string, string> = {},
): Promise<KeptHouse> {
  const [one, two] = KEYS
  const first = await startOpenai({ key: one, moreKeys: [two] })
  // Nobody gets a key that is for another.
  const second = await startOpenai({ key: 'sk-upstream-second-0123456789', forbid: KEYS })
  const azure = await startAzure()
  const anthropic = await startAnthropic()
  const house = await openTaskHouse(
    async rig => {
      const groups = ['default', 'vip']
      const at = ({ url, key }: FakeUpstream) => ({ type: 1, baseUrl: url, key, groups })
      await rig.addChannel({ ...at(first), key: KEYS.join('\n'), models: [MODEL, FIRST, 'gpt-4o', PICTURES] })
      await rig.addChannel({ ...at(second), models: [MODEL, SECOND, PICTURES] })
      await rig.addChannel({ ...at(azure), type: 3, models: [AZURE], groups: ['azure'] })
      await rig.addChannel({ ...at(anthropic), type: 14, models: [CLAUDE], groups: ['claude'] })
      const models = [MODEL, FIRST, SECOND, AZURE, CLAUDE, PICTURES, 'gpt-4o']
      await rig.setOption('ModelRatio', JSON.stringify(Object.fromEntries(models.map(name => [name, 1]))))
      await rig.setOption(
        'CompletionRatio',
        JSON.stringify(Object.fromEntries(models.map(name => [name, 3]))),
      )
      await rig.setOption('RetryTimes', '2')
      await rig.setOption('GroupRatio', '{"default":1,"vip":2,"azure":1,"claude":1}')
      await rig.setOption('UserUsableGroups', '{"default":"a","vip":"b","azure":"c","claude":"d"}')
      for (const [name, value] of Object.entries(settings)) await rig.setOption(name, value)
    },
    { ...patience, ...environment },
  )
  const ids = recordIds()
  const clientOf = (apiKey: string, url = house.url): OpenAI =>
    new OpenAI({
      baseURL: `${url}/v1`,
      maxRetries: 0,
      apiKey,
      fetch: ids.fetch,
      defaultHeaders: { 'accept-language': 'en' },
    })
  return {
    ...house,
    ...{ first, second, azure },
    client: clientOf(house.payer.key),
    visitor: clientOf(house.stranger.key),
    clientOf,
    async newcomer(group) {
      const userId = await house.addUser({ quota: 50_000_000 })
      const { key } = await house.addToken({ userId, ...(group && { group }) })
      return { userId, key, client: clientOf(key) }
    },
    lastId: ids.last,
    asked: () => first.requests.length + second.requests.length,
    async close() {
      await house.close()
      for (const fake of [first, second, azure, anthropic]) await fake.stop()
    },
  }
}
