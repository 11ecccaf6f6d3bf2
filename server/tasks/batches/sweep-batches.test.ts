import { afterAll, expect, test } from 'bun:test'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { keepHouse } from '../../jobs/sweep.ts'
import { createOutbound } from '../../outbound/client.ts'
import type { BatchState } from '../../store/batch-schema.ts'
import type { Store } from '../../store/index.ts'

afterAll(dropAll)

const DAY = 86_400
const NOW = 1_800_000_000
const OLD = NOW - 30 * DAY
const outbound = createOutbound({ allowPrivate: () => true })

async function addBatch({ db }: Store, id: string, state: BatchState, submitted_at: number): Promise<void> {
  await db
    .insertInto('batches')
    .values({
      ...{ id, user_id: 1, token_id: 1, channel_id: 1, key_hash: '', upstream_id: id, file_id: '' },
      ...{ endpoint: '/v1/messages', model: 'm', group: 'default', request_id: id, prices: null, state },
      ...{ line_count: 1, input_bound: 1, completion_window: '24h', metadata: '', data: '' },
      ...{ output_file_id: `out-${id}`, error_file_id: '', submitted_at, lost_at: 0, checked_at: 0 },
      ...{ next_poll_at: 0, claim: '' },
    })
    .execute()
}

async function addFile({ db }: Store, id: string, expires_at: number): Promise<void> {
  const shared = { id, user_id: 1, token_id: 1, channel_id: 1, key_hash: '', bytes: 1, created_at: 1 }
  await db
    .insertInto('files')
    .values({
      ...{ ...shared, upstream_id: id, purpose: 'batch_output', filename: id, expires_at },
      ...{ endpoint: '', model: '', line_count: 0, input_bound: 0, longest_input: 0, output_bound: 0 },
      ...{ answers: 0, open_answers: 0, has_media: 0, thinks: 0 },
    })
    .execute()
  await db
    .insertInto('gemini_files')
    .values({
      ...{ ...shared, name: id, upload_hash: id, upload_sealed: '', upstream_name: id },
      ...{ expires_at: expires_at || NOW + DAY, data: '', requests: null },
    })
    .execute()
}

test.each(engines)('on $name: what is over for a month goes, with what it made', async engine => {
  const store = await openSampleStore(await engine.freshUrl())
  const { db } = store
  await addBatch(store, 'ended-old', 'ended', OLD)
  await addBatch(store, 'dropped-old', 'dropped', OLD)
  await addBatch(store, 'ended-young', 'ended', OLD + 1)
  for (const state of ['running', 'submitting', 'abandoned'] as const) await addBatch(store, state, state, 1)
  for (const id of ['out-ended-old', 'out-ended-young', 'out-running', 'kept']) await addFile(store, id, 0)
  await addFile(store, 'thrown-away', NOW - DAY)
  await addFile(store, 'there-still', NOW + 1)
  const now = () => NOW
  await keepHouse({ store, settings: store.settings, outbound, now, steadyNow: now })
  const left = async (table: 'batches' | 'files' | 'gemini_files') =>
    (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)
  expect(await left('batches')).toEqual(['abandoned', 'ended-young', 'running', 'submitting'])
  const files = ['kept', 'out-ended-young', 'out-running', 'there-still']
  expect([await left('files'), await left('gemini_files')]).toEqual([files, files])
  await store.close()
})
