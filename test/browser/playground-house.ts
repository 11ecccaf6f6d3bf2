import { type FakeUpstream, startOpenai } from '../upstreams/index.ts'
import { type Client, openStage, type Stage } from './harness.ts'

/** The program with a browser before it, a vendor behind it, and somebody who can pay. */
export interface PlaygroundHouse {
  readonly stage: Stage
  readonly root: Client
  readonly upstream: FakeUpstream
  /** The row of a call in the log, as its owner sees it; undefined until it is written. */
  logOf(requestId: string): Promise<{ quota: number; token_name: string } | undefined>
  close(): Promise<void>
}

export const MODELS = ['gpt-4o-mini', 'gpt-4o']

export async function openPlaygroundHouse(): Promise<PlaygroundHouse> {
  const upstream = await startOpenai({ showsThinking: true })
  const stage = await openStage()
  const root = await stage.root()
  for (const [key, value] of Object.entries({ GlobalApiRateLimit: '0', CriticalRateLimit: '0' }))
    await expectSuccess(root.saveOption(key, value))
  await expectSuccess(
    root.post('/api/channel/', {
      type: 1,
      name: 'vendor',
      key: upstream.key,
      base_url: upstream.url,
      models: MODELS.join(','),
      groups: ['default', 'vip'],
    }),
  )
  const codes = await root.post('/api/redemption/', { name: 'gift', quota: 50_000_000, count: 1 })
  await expectSuccess(root.post('/api/user/topup', { key: codes.json.data[0] }))
  return {
    stage,
    root,
    upstream,
    async logOf(requestId) {
      const answer = await root.get(`/api/log/self/?p=1&page_size=1&type=2&request_id=${requestId}`)
      return answer.json.data.items[0]
    },
    async close() {
      await stage.close()
      await upstream.stop()
    },
  }
}

async function expectSuccess(call: ReturnType<Client['post']>): Promise<void> {
  const answer = await call
  if (!answer.json?.success) throw new Error(answer.text)
}
