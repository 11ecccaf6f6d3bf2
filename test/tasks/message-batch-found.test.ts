import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { ENDPOINT } from '../../server/tasks/anthropic-batches/account.ts'
import { anthropicHost } from '../../server/tasks/anthropic-batches/host.ts'
import { readBatch } from '../../server/tasks/anthropic-batches/read-batch.ts'
import type { BatchReport } from '../../server/tasks/batches/host.ts'
import { lookAtBatch } from '../../server/tasks/batches/look-at-batch.ts'
import { acceptBatch } from '../../server/tasks/batches/note-batch.ts'
import type { FakeMessageBatch } from '../upstreams/anthropic-batches/start-anthropic-batches.ts'
import { afterRelease, looksWhenTold } from './house.ts'
import {
  EACH,
  failureOf,
  type MessageBatchHouse,
  openMessageBatchHouse,
  requests,
} from './message-batch-house.ts'

// The vendor keeps no name of ours for a batch: one whose beginning nobody has heard the end of is known by its results.

let house: MessageBatchHouse

/** What an upstream says of a batch of as many requests that it has just begun. */
const reportOf = ({ line_count: processing }: { line_count: number }): BatchReport => {
  const told = { id: 'msgbatch_up', processing_status: 'in_progress', request_counts: { processing } }
  const report = readBatch(told)
  if (!report) throw new Error('this is no batch')
  return report
}

beforeAll(async () => {
  house = await openMessageBatchHouse(looksWhenTold)
})
afterAll(async () => {
  expect(house.upstream.complaints.filter(text => !/not available|not found/.test(text))).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
})

async function beginUnheard(count = 2): Promise<FakeMessageBatch> {
  house.upstream.silent = true
  // The SDK would try again by itself, and make two of it.
  const client = house.client.withOptions({ maxRetries: 2 })
  const before = house.upstream.batches.size
  const failure = await failureOf(house.begin(requests(count), client))
  expect(failure).toMatchObject({ status: 502, type: 'api_error' })
  expect(house.upstream.batches.size).toBe(before + 1)
  const last = [...house.upstream.batches.values()].at(-1)
  if (!last) throw new Error('nothing was begun')
  return last
}

const listed = async (): Promise<number> => (await house.client.messages.batches.list()).data.length
const lastState = async () =>
  house.store.db.selectFrom('batches').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

test('one that the upstream took without saying so is found when it has ended, and paid', async () => {
  await house.spent()
  const known = await listed()
  const hidden = await beginUnheard()
  const held = await house.spent()
  expect(held).toBeGreaterThan(2 * EACH)
  // Whatever may be it is waited for, however long that takes.
  await house.poll(4000)
  expect([(await lastState()).state, await listed()]).toEqual(['submitting', known])
  house.upstream.end(hidden, { succeeded: 2 })
  // Its results may come a while after its end.
  const giveBack = house.upstream.loseResults(hidden)
  await house.poll(4000)
  expect([(await lastState()).state, await house.spent()]).toEqual(['submitting', 0])
  giveBack()
  await house.poll(4000)
  await house.poll(4000)
  const [found] = (await house.client.messages.batches.list()).data
  expect(found).toMatchObject({ processing_status: 'ended', request_counts: { succeeded: 2 } })
  expect(await house.spent()).toBe(2 * EACH - held)
  const results = await house.resultsOf(found?.id ?? '')
  expect(results.map(({ custom_id }) => custom_id)).toEqual(['r1', 'r0'])
})

test('one that could not be read back is not begun twice', async () => {
  await house.spent()
  const client = house.client.withOptions({ maxRetries: 2 })
  const before = house.upstream.batches.size
  const { db } = house.store
  await sql`create trigger unreadable after update on batches when new.upstream_id <> ''
    begin update batches set endpoint = 'nowhere' where id = new.id; end`.execute(db)
  try {
    expect(await failureOf(house.begin(requests(2), client))).toMatchObject({
      status: 502,
      type: 'api_error',
    })
  } finally {
    await sql`drop trigger unreadable`.execute(db)
  }
  expect(house.upstream.batches.size).toBe(before + 1)
  await db.updateTable('batches').set({ endpoint: ENDPOINT }).where('endpoint', '=', 'nowhere').execute()
  const { id } = await lastState()
  expect(await house.end(id, { succeeded: 2 })).toMatchObject({ processing_status: 'ended' })
  expect(await house.chargeOf((await house.rowOf(id)).request_id)).toBe(2 * EACH)
  await house.spent()
})

test('one that it never took is given up, and what was held comes back', async () => {
  await house.spent()
  const known = await listed()
  const hidden = await beginUnheard()
  // Of one of others', nobody will ever get results.
  const foreign = house.upstream.addForeign(hidden, 'msgbatch_of_others_lost')
  house.upstream.end(foreign, { errored: 2 })
  house.upstream.loseResults(foreign)
  foreign.ended_at = new Date(Date.now() - 7_200_000).toISOString()
  house.upstream.batches.delete(hidden.id)
  await house.poll(130)
  expect((await lastState()).state).toBe('submitting')
  await house.poll(400)
  expect([(await lastState()).state, await listed()]).toEqual(['ended', known])
  expect(await house.spent()).toBe(0)
  house.upstream.batches.delete(foreign.id)
})

test('one that is given up is not begun by an answer that comes in the same moment', async () => {
  await house.spent()
  house.upstream.batches.delete((await beginUnheard()).id)
  const row = await lastState()
  const late = { ...reportOf(row), upstreamId: 'msgbatch_heard_late' }
  let isAccepted: boolean | undefined
  await house.later(400, async parts => {
    const ledger = afterRelease(parts, async () => {
      isAccepted = await acceptBatch(parts, row.id, late, 5)
      throw new Error('the process died')
    })
    await lookAtBatch(anthropicHost, { ...parts, ledger }, row).catch(() => {})
  })
  expect([isAccepted, await house.spent()]).toEqual([false, 0])
  await house.poll(400)
  expect(await lastState()).toMatchObject({ state: 'ended', upstream_id: '' })
})

test('those of others at the same account are told from it, each looked through once', async () => {
  await house.spent()
  const hidden = await beginUnheard()
  const foreign = house.upstream.addForeign(hidden, 'msgbatch_of_others')
  const larger = house.upstream.addForeign(hidden, 'msgbatch_of_others_larger')
  larger.request_counts.processing++
  const under = house.upstream.addForeign(hidden, 'msgbatch_of_others_under_way')
  house.upstream.end(foreign, { succeeded: 2 })
  const reads = () => house.upstream.requests.filter(({ path }) => path.includes('others/results')).length
  for (let at = 0; at < 3; at++) await house.poll(400)
  expect([(await lastState()).state, reads()]).toEqual(['submitting', 1])
  house.upstream.end(under, { succeeded: 1, errored: 1 })
  house.upstream.end(hidden, { succeeded: 1, expired: 1 })
  await house.poll(400)
  await house.poll(400)
  expect(await house.spent()).toBe(EACH)
  expect(await lastState()).toMatchObject({ state: 'ended', upstream_id: hidden.id })
  for (const id of ['msgbatch_of_others', 'msgbatch_of_others_larger', 'msgbatch_of_others_under_way'])
    house.upstream.batches.delete(id)
})

test('one that the upstream knows no more comes to nothing after half an hour', async () => {
  await house.spent()
  const batch = await house.begin(requests(2))
  const there = await house.atUpstream(batch.id)
  house.upstream.batches.delete(there.id)
  await house.poll()
  expect(await house.spent()).toBeGreaterThan(0)
  await house.poll(1900)
  expect(await house.spent()).toBeLessThan(0)
  expect(await house.client.messages.batches.retrieve(batch.id)).toMatchObject({
    processing_status: 'ended',
    request_counts: { errored: 2 },
    results_url: null,
  })
  expect(await failureOf(house.client.get(`/v1/messages/batches/${batch.id}/results`))).toMatchObject({
    status: 404,
    type: 'not_found_error',
  })
  await house.client.messages.batches.delete(batch.id)
})

const cuts = ['in its last line', 'before its last line'] as const

test('results that are cut are not what is paid, and are broken off for who reads them', async () => {
  await house.spent()
  const batch = await house.begin(requests(3))
  const held = await house.spent()
  const there = await house.atUpstream(batch.id)
  house.upstream.end(there, { succeeded: 2, errored: 1 })
  for (const [at, where] of cuts.entries()) {
    const giveBack = house.upstream.cutResults(there, where)
    await house.poll(at * 500)
    expect([where, (await house.rowOf(batch.id)).state, await house.spent()]).toEqual([where, 'running', 0])
    giveBack()
  }
  await house.poll(1000)
  expect(await house.spent()).toBe(2 * EACH - held)
  const read = () =>
    fetch(`${house.url}/v1/messages/batches/${batch.id}/results`, {
      headers: { 'x-api-key': house.payer.key, 'anthropic-version': '2023-06-01' },
    })
  for (const where of cuts) {
    const giveBack = house.upstream.cutResults(there, where)
    const cut = await read()
    expect(cut.status).toBe(200)
    await expect(cut.text()).rejects.toThrow()
    giveBack()
  }
  expect((await (await read()).text()).trim().split('\n')).toHaveLength(3)
})

test('results that are lost are charged by the number of answers', async () => {
  await house.spent()
  const batch = await house.begin(requests(4))
  const held = await house.spent()
  const there = await house.atUpstream(batch.id)
  house.upstream.end(there, { succeeded: 3, errored: 1 })
  house.upstream.loseResults(there)
  await house.poll()
  expect(await house.spent()).toBe(0)
  await house.poll(1900)
  const { request_id } = await house.rowOf(batch.id)
  const charge = (await house.chargeOf(request_id)) ?? 0
  expect(charge).toBeWithin(1, held)
  expect(await house.spent()).toBe(charge - held)
  expect((await house.logOf(request_id)).details).toMatchObject({ batch_requests: 3 })
})
