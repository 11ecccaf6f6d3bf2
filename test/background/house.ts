import OpenAI from 'openai'
import { asObject } from '../../server/dialects/json.ts'
import { recordIds } from '../sdk/conversation.ts'
import { openTaskHouse, type TaskHouse } from '../tasks/house.ts'
import {
  expectedUsage,
  type FakeUpstream,
  startAnthropic,
  startAzure,
  startOpenai,
} from '../upstreams/index.ts'
import type { SeenRequest } from '../upstreams/upstream.ts'

export const MODEL = 'gpt-5.4'
/** Of a vendor that does not speak Responses. */
export const CONVERTED = 'claude-sonnet-4-6'
/** At Azure. */
export const AZURE = 'gpt-5.4-azure'
export const GONE = 'gpt-gone'
/** Which both vendors have, the first of them preferred. */
export const SHARED = 'gpt-5.4-mini'

type Response = OpenAI.Responses.Response
type Begun = Response & { readonly requestId: string }

/** A house whose channels make responses in the background, with OpenAI's own SDK before it. */
export interface BackgroundHouse extends TaskHouse {
  readonly upstream: FakeUpstream
  /** Its channel can be removed. */
  readonly other: FakeUpstream
  readonly azure: FakeUpstream
  readonly client: OpenAI
  readonly visitor: OpenAI
  clientOf(key: string): OpenAI
  begin(input: string, more?: Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming>): Promise<Begun>
  /** What the books call the request that was answered last. */
  lastId(): string
  /** What a response to this costs, by the vendor's own count. */
  price(input: string): number
  /** Asked after by whom it belongs to, until it has ended. */
  ended(id: string): Promise<Response>
  /** How many requests a vendor has got by this method. */
  asked(method: SeenRequest['method']): number
}

export async function openBackgroundHouse(
  settings: Readonly<Record<string, string>> = {},
  environment: Record<string, string> = {},
  times?: Parameters<typeof openTaskHouse>[2],
): Promise<BackgroundHouse> {
  const upstream = await startOpenai()
  const other = await startOpenai({ key: 'sk-upstream-other-0123456789' })
  const anthropic = await startAnthropic()
  const azure = await startAzure()
  const house = await openTaskHouse(
    async rig => {
      const place = { type: 1, baseUrl: upstream.url, key: upstream.key }
      await rig.addChannel({ ...place, models: [MODEL], setting: { cost_ratio: 0.5 } })
      await rig.addChannel({ ...place, baseUrl: other.url, key: other.key, models: [GONE], name: 'gone' })
      await rig.addChannel({ ...place, models: [SHARED], priority: 1, autoBan: false })
      await rig.addChannel({ ...place, baseUrl: other.url, key: other.key, models: [SHARED] })
      await rig.addChannel({ ...place, type: 3, baseUrl: azure.url, key: azure.key, models: [AZURE] })
      await rig.addChannel({
        type: 14,
        baseUrl: anthropic.url,
        key: anthropic.key,
        models: [CONVERTED],
      })
      await rig.setOption('RetryTimes', '2')
      await rig.setOption(
        'ModelRatio',
        JSON.stringify({ [MODEL]: 1, [GONE]: 1, [SHARED]: 1, [AZURE]: 1, [CONVERTED]: 1 }),
      )
      await rig.setOption('CompletionRatio', JSON.stringify({ [MODEL]: 3, [GONE]: 3, [AZURE]: 3 }))
      for (const [name, value] of Object.entries(settings)) await rig.setOption(name, value)
    },
    environment,
    times,
  )
  const ids = recordIds()
  const clientOf = (apiKey: string): OpenAI =>
    new OpenAI({
      baseURL: `${house.url}/v1`,
      maxRetries: 0,
      apiKey,
      fetch: ids.fetch,
      defaultHeaders: { 'accept-language': 'en' },
    })
  const client = clientOf(house.payer.key)
  return {
    ...house,
    upstream,
    other,
    azure,
    client,
    visitor: clientOf(house.stranger.key),
    clientOf,
    lastId: ids.last,
    async begin(input, more = {}) {
      const response = await client.responses.create({ model: MODEL, input, background: true, ...more })
      return { ...response, requestId: ids.last() }
    },
    price: input => {
      const { input: read, output } = expectedUsage('openai-responses', { model: MODEL, input })
      return read + output * 3
    },
    async ended(id) {
      for (;;) {
        const response = await client.responses.retrieve(id)
        if (response.status !== 'queued' && response.status !== 'in_progress') return response
        await Bun.sleep(20)
      }
    },
    asked: method => upstream.requests.filter(seen => seen.method === method).length,
    async close() {
      await house.close()
      for (const fake of [upstream, other, anthropic, azure]) await fake.stop()
    },
  }
}

/** Whether the books still hold money for it. */
export async function isHeld({ store }: TaskHouse, requestId: string): Promise<boolean> {
  const hold = await store.db
    .selectFrom('holds')
    .select('state')
    .where('id', '=', requestId)
    .executeTakeFirst()
  return hold?.state === 'open'
}

/** What an event tells of the response that it belongs to. */
export function responseIn(event: object): Response | undefined {
  return asObject((event as { response?: unknown }).response) as Response | undefined
}
