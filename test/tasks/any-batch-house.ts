import type { BatchRow } from '../../server/tasks/batches/batch-rows.ts'
import { openTaskHouse, type TaskHouse } from './house.ts'

type Seed = Parameters<typeof openTaskHouse>[0]

/** A vendor's stand-in that runs batches. */
interface BatchUpstream<Batch> {
  readonly batches: ReadonlyMap<string, Batch>
  stop(): Promise<void>
}

/** A house whose channels take batches, whoever's, and people who begin them with that vendor's own client. */
export interface AnyBatchHouse<Batch, Upstream extends BatchUpstream<Batch>, Client> extends TaskHouse {
  readonly upstream: Upstream
  readonly client: Client
  readonly visitor: Client
  clientOf(key: string): Client
  rowOf(id: string): Promise<BatchRow>
  atUpstream(id: string): Promise<Batch>
}

/** What a vendor's house has of its own. */
interface OfVendor<Upstream, Client> {
  readonly upstream: Upstream
  readonly seed: Seed
  clientAt(url: string, apiKey: string): Client
  readonly environment?: Record<string, string>
}

/** What all of them may be ordered in. */
export const groups = ['default', 'vip', 'gratis']

export async function openAnyBatchHouse<Batch, Upstream extends BatchUpstream<Batch>, Client>({
  upstream,
  seed,
  clientAt,
  environment,
}: OfVendor<Upstream, Client>): Promise<AnyBatchHouse<Batch, Upstream, Client>> {
  const house = await openTaskHouse(async rig => {
    await seed(rig)
    await rig.setOption('GroupRatio', '{"default":1,"vip":3,"gratis":0}')
    await rig.setOption('UserUsableGroups', '{"default":"a","vip":"b","gratis":"c"}')
  }, environment)
  const clientOf = (key: string): Client => clientAt(house.url, key)
  const rowOf = (id: string): Promise<BatchRow> =>
    house.store.db.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return {
    ...house,
    upstream,
    client: clientOf(house.payer.key),
    visitor: clientOf(house.stranger.key),
    clientOf,
    rowOf,
    async atUpstream(id) {
      const batch = upstream.batches.get((await rowOf(id)).upstream_id)
      if (!batch) throw new Error(`the upstream has no ${id}`)
      return batch
    },
    async close() {
      await house.close()
      await upstream.stop()
    },
  }
}
