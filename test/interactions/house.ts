import { GoogleGenAI } from '@google/genai'
import { recordIds } from '../sdk/conversation.ts'
import { openTaskHouse, type TaskHouse } from '../tasks/house.ts'
import { expectedUsage, type FakeUpstream, startAnthropic, startGemini } from '../upstreams/index.ts'
import type { SeenRequest } from '../upstreams/upstream.ts'

export const MODEL = 'gemini-3.8-flash'
/** As the vendor calls it. */
export const UPSTREAM = 'gemini-4-argon'
/** Of a vendor that has no interactions. */
export const CONVERTED = 'claude-sonnet-4-6'
/** Its channel has two keys, each of an account of its own. */
export const TWO_KEYS = 'gemini-two-keys'
/** Its channel can be removed. */
export const GONE = 'gemini-gone'
export const AGENT = 'deep-research-preview-04-2026'
export const UNPRICED = 'antigravity-preview-05-2026'

/** As the SDK tells of one. */
export interface Interaction {
  readonly id: string
  readonly status: string
  readonly output_text?: string
  readonly usage?: object
  readonly errors?: readonly { readonly message?: string }[]
}

/** One of a stream. */
export interface Told {
  readonly event_type: string
  readonly event_id?: string
  readonly delta?: { readonly type: string; readonly text?: string; readonly arguments?: string }
  readonly interaction?: Interaction
  readonly error?: { readonly code?: string; readonly message?: string }
}

const LAST_ID = 'bGFzdA'

/** Frames of a stream, of which the last tells the status alone; or the last but one. */
export function endingByStatus(frames: readonly string[], status: string, isTold = false): readonly string[] {
  // What is kept to be told again is edited before what goes out.
  if (frames.some(frame => frame.includes(LAST_ID))) return frames
  const at = frames.findIndex(frame => frame.startsWith('event: interaction.completed'))
  const { interaction } = JSON.parse(frames[at]?.slice(frames[at].indexOf('{')) ?? '') as {
    interaction: { id: string; usage?: object }
  }
  const { id: interaction_id, usage } = interaction
  const told = { event_type: 'interaction.status_update', interaction_id, status, usage, event_id: LAST_ID }
  return frames.toSpliced(
    at,
    isTold ? 0 : 1,
    `event: interaction.status_update\ndata: ${JSON.stringify(told)}\n\n`,
  )
}

export function textOf(events: readonly Told[]): string {
  return events.map(({ delta }) => delta?.text ?? '').join('')
}

/** As the SDK's error of any kind tells it. */
export function statusOf(error: Error): unknown {
  return (error as { status?: unknown }).status
}
type Begun = Interaction & { readonly requestId: string }

/** A house with channels of Google's, and with Google's own SDK before it. */
export interface InteractionHouse extends TaskHouse {
  readonly upstream: FakeUpstream
  readonly other: FakeUpstream
  readonly client: GoogleGenAI
  readonly visitor: GoogleGenAI
  clientOf(key: string): GoogleGenAI
  /** Streamed, to its end. */
  stream(input: string, more?: object): Promise<Told[]>
  /** In the background. */
  begin(input: string, more?: object): Promise<Begun>
  /** What the books call the request that was answered last. */
  lastId(): string
  /** What an interaction with this input costs, by the vendor's own count. */
  price(input: string, more?: object): number
  /** Asked after by whom it belongs to, until it has ended. */
  ended(id: string): Promise<Interaction>
  asked(method: SeenRequest['method']): number
  last(): SeenRequest
}

const SECOND = 'AIzaSyUpstreamGeminiSecond012345'

export async function openInteractionHouse(
  settings: Readonly<Record<string, string>> = {},
  environment: Record<string, string> = {},
  times?: Parameters<typeof openTaskHouse>[2],
): Promise<InteractionHouse> {
  const upstream = await startGemini({ moreKeys: [SECOND] })
  const other = await startGemini({ key: 'AIzaSyUpstreamGeminiOther0123456' })
  const anthropic = await startAnthropic()
  const models = [MODEL, CONVERTED, TWO_KEYS, GONE, AGENT]
  const house = await openTaskHouse(
    async rig => {
      const place = { type: 24, baseUrl: upstream.url, key: upstream.key }
      await rig.addChannel({
        ...place,
        models: [MODEL, AGENT, UNPRICED],
        mapping: { [MODEL]: `models/${UPSTREAM}` },
        setting: { cost_ratio: 0.5 },
      })
      await rig.addChannel({ ...place, key: `${upstream.key}\n${SECOND}`, models: [TWO_KEYS] })
      await rig.addChannel({ ...place, baseUrl: other.url, key: other.key, models: [GONE], name: 'gone' })
      await rig.addChannel({ type: 14, baseUrl: anthropic.url, key: anthropic.key, models: [CONVERTED] })
      await rig.setOption('RetryTimes', '2')
      await rig.setOption('ModelRatio', JSON.stringify(Object.fromEntries(models.map(name => [name, 1]))))
      await rig.setOption('CompletionRatio', JSON.stringify({ [MODEL]: 3, [AGENT]: 3 }))
      for (const [name, value] of Object.entries(settings)) await rig.setOption(name, value)
    },
    environment,
    times,
  )
  const ids = recordIds()
  const clientOf = (apiKey: string): GoogleGenAI =>
    new GoogleGenAI({
      apiKey,
      httpOptions: {
        baseUrl: house.url,
        fetch: ids.fetch,
        headers: { 'accept-language': 'en' },
        retryOptions: { attempts: 1 },
      },
    })
  const client = clientOf(house.payer.key)
  return {
    ...house,
    upstream,
    other,
    client,
    visitor: clientOf(house.stranger.key),
    clientOf,
    lastId: ids.last,
    async stream(input, more = {}) {
      const given = { model: MODEL, input, stream: true, ...more } as const
      return Array.fromAsync((await client.interactions.create(given)) as AsyncIterable<Told>)
    },
    async begin(input, more = {}) {
      const begun = await client.interactions.create({ model: MODEL, input, background: true, ...more })
      return { ...(begun as unknown as Interaction), requestId: ids.last() }
    },
    price: (input, more = {}) => {
      const { input: read, output } = expectedUsage('gemini-interactions', { input, ...more })
      return read + output * 3
    },
    async ended(id) {
      for (;;) {
        const told = (await client.interactions.get(id)) as Interaction
        if (told.status !== 'queued' && told.status !== 'in_progress') return told
        await Bun.sleep(20)
      }
    },
    asked: method => upstream.requests.filter(seen => seen.method === method).length,
    last() {
      const seen = upstream.requests.at(-1)
      if (!seen) throw new Error('nobody was asked')
      return seen
    },
    async close() {
      await house.close()
      for (const fake of [upstream, other, anthropic]) await fake.stop()
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
