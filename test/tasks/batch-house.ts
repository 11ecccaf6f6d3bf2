import OpenAI, { toFile } from 'openai'
import {
  type FakeBatch,
  type FakeBatches,
  startOpenaiBatches,
} from '../upstreams/openai-batches/start-openai-batches.ts'
import { type AnyBatchHouse, groups, openAnyBatchHouse } from './any-batch-house.ts'

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

/** A house whose channels take OpenAI's batches, and people who begin them. */
export interface BatchHouse extends AnyBatchHouse<FakeBatch, FakeBatches, OpenAI> {
  upload(text: string | readonly string[], by?: OpenAI): Promise<OpenAI.FileObject>
  begin(file: string, by?: OpenAI, more?: Partial<OpenAI.BatchCreateParams>): Promise<OpenAI.Batch>
  /** Over, and seen to be. */
  end(id: string, status: string, answered: number, failed?: number): Promise<OpenAI.Batch>
}

export async function openBatchHouse(environment: Record<string, string> = {}): Promise<BatchHouse> {
  const upstream = startOpenaiBatches()
  const house = await openAnyBatchHouse<FakeBatch, FakeBatches, OpenAI>({
    upstream,
    environment,
    clientAt: (url, apiKey) =>
      new OpenAI({
        baseURL: `${url}/v1`,
        maxRetries: 0,
        apiKey,
        defaultHeaders: { 'accept-language': 'en' },
      }),
    async seed(rig) {
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
    },
  })
  const { client } = house
  return {
    ...house,
    async upload(text, by = client) {
      const bytes = Buffer.from(typeof text === 'string' ? text : text.join('\n'))
      return by.files.create({ file: await toFile(bytes, 'in.jsonl'), purpose: 'batch' })
    },
    begin: (input_file_id, by = client, more = {}) =>
      by.batches.create({ input_file_id, endpoint: chat, completion_window: '24h', ...more }),
    async end(id, status, answered, failed = 0) {
      upstream.end(await house.atUpstream(id), status, answered, failed)
      await house.poll()
      return client.batches.retrieve(id)
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
