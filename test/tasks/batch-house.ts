import OpenAI, { toFile } from 'openai'
import {
  type FakeBatch,
  type FakeBatches,
  startOpenaiBatches,
} from '../upstreams/openai-batches/start-openai-batches.ts'
import { openTaskHouse, type TaskHouse } from './house.ts'

/** 100 tokens, 20 from a cache at half and 30 of output at three times the price; half of that in a batch. */
export const EACH = (100 + 20 / 2 + 30 * 3) / 2
export const chat = '/v1/chat/completions'

export const line = (at: number, body: object = {}, url = chat, more: object = {}): string =>
  JSON.stringify({
    custom_id: `r${at}`,
    method: 'POST',
    url,
    body: { model: 'b-chat', messages: [{ role: 'user', content: `say ${at}` }], max_tokens: 50, ...body },
    ...more,
  })
export const lines = (count: number, body: object = {}): string[] =>
  Array.from({ length: count }, (_, at) => line(at, body))

/** A house whose channels take batches, and people who begin them. */
export interface BatchHouse extends TaskHouse {
  readonly upstream: FakeBatches
  readonly client: OpenAI
  readonly visitor: OpenAI
  clientOf(key: string): OpenAI
  upload(text: string | readonly string[], by?: OpenAI): Promise<OpenAI.FileObject>
  begin(file: string, by?: OpenAI, more?: Partial<OpenAI.BatchCreateParams>): Promise<OpenAI.Batch>
  rowOf(id: string): Promise<{ upstream_id: string; request_id: string }>
  atUpstream(id: string): Promise<FakeBatch>
  /** Over, and seen to be. */
  end(id: string, status: string, answered: number, failed?: number): Promise<OpenAI.Batch>
}

export async function openBatchHouse(environment: Record<string, string> = {}): Promise<BatchHouse> {
  const upstream = startOpenaiBatches()
  const house = await openTaskHouse(async rig => {
    const groups = ['default', 'vip', 'gratis']
    const long = ['b-long', 'b-not-long']
    const models = ['b-chat', 'b-other', 'b-embed', 'b-call', 'b-free-of-price', ...long]
    const place = { type: 1, baseUrl: upstream.url, key: upstream.key, groups }
    await rig.addChannel({ ...place, models, setting: { cost_ratio: 0.25 } })
    await rig.addChannel({ ...place, models: ['b-mapped'], mapping: { 'b-mapped': 'b-chat' } })
    await rig.addChannel({ ...place, models: ['b-changed'], setting: { system_prompt: 'Be brief.' } })
    await rig.addChannel({ ...place, type: 14, models: ['b-elsewhere'] })
    const ratios = {
      ...{ 'b-chat': 1, 'b-other': 1, 'b-embed': 0.1 },
      ...{ 'b-mapped': 2, 'b-changed': 1, 'b-elsewhere': 1, 'b-long': 1, 'b-not-long': 1 },
    }
    await rig.setOption('ModelRatio', JSON.stringify(ratios))
    await rig.setOption('CompletionRatio', '{"b-chat":3,"b-other":3,"b-mapped":3}')
    await rig.setOption('CacheRatio', '{"b-chat":0.5,"b-other":0.5,"b-mapped":0.5}')
    await rig.setOption('LongInputRatio', '{"b-long":2,"b-not-long":2}')
    // An answer there has 120 tokens of input.
    await rig.setOption('LongInputFrom', '{"b-long":119,"b-not-long":120}')
    await rig.setOption('ModelPrice', '{"b-call":0.01}')
    await rig.setOption('GroupRatio', '{"default":1,"vip":3,"gratis":0}')
    await rig.setOption('UserUsableGroups', '{"default":"a","vip":"b","gratis":"c"}')
  }, environment)
  const clientOf = (apiKey: string): OpenAI =>
    new OpenAI({
      baseURL: `${house.url}/v1`,
      maxRetries: 0,
      apiKey,
      defaultHeaders: { 'accept-language': 'en' },
    })
  const client = clientOf(house.payer.key)
  const rowOf = (id: string) =>
    house.store.db.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const atUpstream = async (id: string): Promise<FakeBatch> => {
    const batch = upstream.batches.get((await rowOf(id)).upstream_id)
    if (!batch) throw new Error(`the upstream has no ${id}`)
    return batch
  }
  return {
    ...house,
    upstream,
    client,
    visitor: clientOf(house.stranger.key),
    clientOf,
    rowOf,
    atUpstream,
    async upload(text, by = client) {
      const bytes = Buffer.from(typeof text === 'string' ? text : text.join('\n'))
      return by.files.create({ file: await toFile(bytes, 'in.jsonl'), purpose: 'batch' })
    },
    begin: (input_file_id, by = client, more = {}) =>
      by.batches.create({ input_file_id, endpoint: chat, completion_window: '24h', ...more }),
    async end(id, status, answered, failed = 0) {
      upstream.end(await atUpstream(id), status, answered, failed)
      await house.poll()
      return client.batches.retrieve(id)
    },
    async close() {
      await house.close()
      await upstream.stop()
    },
  }
}

export async function failureOf(asked: Promise<unknown>) {
  try {
    await asked
  } catch (error) {
    const { status, message, code, type } = error as InstanceType<typeof OpenAI.APIError>
    return { status: status ?? 0, message, code, type }
  }
  throw new Error('it did not fail')
}
