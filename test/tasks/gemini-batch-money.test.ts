import { afterAll, expect, test } from 'bun:test'
import { type Kysely, sql } from 'kysely'
import { gemini } from '../../server/store/migrations/0041-gemini.ts'
import { oneRoomOfBatches } from '../../server/store/migrations/0042-one-room-of-batches.ts'
import { dropAll, engines } from '../services/databases.ts'
import { USED } from '../upstreams/gemini-kept/fake-batches.ts'
import { startGeminiKept } from '../upstreams/gemini-kept/start-gemini-kept.ts'
import { openGeminiHouse } from './gemini-house.ts'
import { openTaskHouse } from './house.ts'
import { killTwice, times } from './kill-twice.ts'

afterAll(dropAll)

const COUNT = 3
/** Output is four times as dear; half of all that in a batch. */
const PAID = (COUNT * (USED.prompt + 4 * (USED.thoughts + USED.output))) / 2
const path = '/v1beta/models/g-pro:batchGenerateContent'
const one = {
  request: { contents: [{ parts: [{ text: 'say' }] }], generationConfig: { maxOutputTokens: 50 } },
}
const wanted = { batch: { inputConfig: { requests: { requests: Array(COUNT).fill(one) } } } }

test.each(engines)('on $name: killed while batches begin, and again while they end', async engine => {
  const DATABASE_URL = await engine.freshUrl()
  const upstream = startGeminiKept()
  const [key = ''] = upstream.keys
  const house = await openTaskHouse(
    async rig => {
      await rig.addChannel({ type: 24, baseUrl: upstream.url, key, models: ['g-pro'] })
      await rig.setOption('ModelRatio', '{"g-pro":1}')
      await rig.setOption('CompletionRatio', '{"g-pro":4}')
      await rig.setOption('CacheRatio', '{"g-pro":1}')
    },
    { DATABASE_URL },
    times,
  )
  await killTwice({
    ...{ house, DATABASE_URL, paid: PAID, isKnownBefore: true },
    theirs: () => [...upstream.batches.all.keys()],
    async begin() {
      const { status, json } = await house.call('POST', path, wanted)
      return status === 200 ? json.name.slice('batches/'.length) : undefined
    },
    endAll() {
      for (const batch of upstream.batches.all.values())
        upstream.batches.end(batch, 'BATCH_STATE_SUCCEEDED', COUNT)
    },
    look: (url, id) =>
      fetch(`${url}/v1beta/batches/${id}`, { headers: { 'x-goog-api-key': house.payer.key } }),
  })
  expect(upstream.complaints).toEqual([])
  await house.close()
  await upstream.stop()
})

test.each(engines)('on $name: what an older program has begun goes on, is paid and shown', async engine => {
  const house = await openGeminiHouse({ DATABASE_URL: await engine.freshUrl() })
  const { google, upstream, store } = house
  const create = () =>
    google.batches.create({ model: 'g-pro', src: [{ contents: 'say' }, { contents: 'so' }] })
  await house.spent()
  const batch = await create()
  upstream.fail = { way: 'POST /v1beta/models', status: 500, done: true }
  await create().catch(() => {})
  // As it was before: a table of their own.
  const older = store.db as unknown as Kysely<unknown>
  await gemini(older, store.engine)
  const group = sql.ref('group')
  await sql`insert into gemini_batches
    (id, user_id, token_id, channel_id, key_hash, upstream_name, model, ${group}, title, request_id, state,
      request_count, input_bound, created_at, lost_at, next_poll_at, data)
    select id, user_id, token_id, channel_id, key_hash, upstream_id, model, ${group}, metadata, request_id, state,
      line_count, input_bound, submitted_at, lost_at, next_poll_at, data from batches`.execute(older)
  await sql`delete from batches`.execute(older)
  await older.schema.alterTable('batches').dropColumn('prices').execute()
  await older.schema.alterTable('gemini_files').dropColumn('requests').execute()
  await oneRoomOfBatches(older, store.engine)
  expect((await google.batches.get({ name: batch.name ?? '' })).model).toBe('models/g-pro')
  await house.poll(600)
  for (const one of upstream.batches.all.values()) upstream.batches.end(one, 'BATCH_STATE_SUCCEEDED', 2)
  await house.poll(600, 2)
  const { page } = await google.batches.list()
  expect(page.map(({ state }) => String(state))).toEqual(['JOB_STATE_SUCCEEDED', 'JOB_STATE_SUCCEEDED'])
  const { prompt, cached, thoughts, output } = USED
  expect(await house.spent()).toBe(2 * 2 * (prompt - cached + cached / 4 + 4 * (thoughts + output)))
  expect(await house.differences()).toEqual([])
  await house.close()
})
