import { afterAll, expect, test } from 'bun:test'
import { type Kysely, sql } from 'kysely'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import type { Store } from '../index.ts'
import { gemini } from './0041-gemini.ts'
import { oneRoomOfBatches } from './0042-one-room-of-batches.ts'

afterAll(dropAll)

/** As it was before: Gemini's batches had a table of their own. */
async function goBack({ db, engine }: Store): Promise<Kysely<unknown>> {
  await db.schema.alterTable('batches').dropColumn('prices').execute()
  await db.schema.alterTable('gemini_files').dropColumn('requests').execute()
  const older = db as unknown as Kysely<unknown>
  await gemini(older, engine)
  for (const [id, state] of [
    ['a', 'running'],
    ['b', 'submitting'],
    ['c', 'ended'],
  ])
    await sql`insert into gemini_batches
      (id, user_id, token_id, channel_id, key_hash, upstream_name, model, ${sql.ref('group')}, title, request_id, state,
        request_count, input_bound, created_at, lost_at, next_poll_at, data)
      values (${id}, 1, 2, 3, 'k', ${`batches/${id}`}, 'g', 'vip', 'Nightly "x"', ${`r-${id}`}, ${state},
        5, 600, 70, 8, 90, '{"state":"BATCH_STATE_RUNNING"}')`.execute(older)
  return older
}

const moved = {
  ...{
    id: 'a',
    user_id: 1,
    token_id: 2,
    channel_id: 3,
    key_hash: 'k',
    upstream_id: 'batches/a',
    file_id: '',
  },
  ...{ endpoint: 'batchGenerateContent', model: 'g', group: 'vip', request_id: 'r-a', state: 'running' },
  ...{ line_count: 5, input_bound: 600, completion_window: '24h', metadata: 'Nightly "x"', prices: null },
  ...{ data: '{"state":"BATCH_STATE_RUNNING"}', output_file_id: '', error_file_id: '', submitted_at: 70 },
  ...{ lost_at: 8, checked_at: 0, next_poll_at: 90, claim: '' },
}

test.each(engines)('on $name: Gemini’s batches go where the others are, as they were', async engine => {
  const store = await openSampleStore(await engine.freshUrl())
  const older = await goBack(store)
  await oneRoomOfBatches(older, store.engine)
  const rows = await store.db.selectFrom('batches').selectAll().orderBy('id').execute()
  expect(rows.map(({ id, state }) => [id, state])).toEqual([
    ['a', 'running'],
    ['b', 'submitting'],
    ['c', 'ended'],
  ])
  expect(rows[0]).toEqual(moved as never)
  const gone = sql`select * from gemini_batches`.execute(older)
  expect(await gone.catch(error => (error as Error).name)).toBeString()
  await store.close()
})

test('where it stopped half-way, it goes on: MariaDB cannot undo it', async () => {
  const url = (await engines.find(({ name }) => name === 'mariadb')?.freshUrl()) ?? ''
  const store = await openSampleStore(url)
  const older = await goBack(store)
  // It had been renamed, and one row was there already.
  await older.schema.alterTable('gemini_batches').renameTo('gemini_batches_moved').execute()
  await older.schema.alterTable('batches').addColumn('prices', sql`longtext`).execute()
  await store.db
    .insertInto('batches')
    .values({ ...moved, state: 'running' })
    .execute()
  for (let again = 0; again < 2; again++) await oneRoomOfBatches(older, store.engine)
  const rows = await store.db.selectFrom('batches').select('id').orderBy('id').execute()
  expect(rows).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
  await store.close()
})
