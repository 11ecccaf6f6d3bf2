import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import OpenAI from 'openai'
import { catchError } from '../sdk/sdk-errors.ts'
import { type BatchHouse, EACH, failureOf, lines, openBatchHouse } from './batch-house.ts'
import { looksWhenTold } from './house.ts'

// A batch whose beginning nobody has heard the end of is looked for among those that its upstream has.

let house: BatchHouse

beforeAll(async () => {
  house = await openBatchHouse(looksWhenTold)
})
afterAll(async () => {
  expect(house.upstream.complaints).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
})

test('one that the upstream took without saying so is found, and paid; one that it never took is not', async () => {
  await house.spent()
  const file = await house.upload(lines(2))
  house.upstream.silent = true
  expect((await failureOf(house.begin(file.id))).status).toBe(502)
  const known = (await house.client.batches.list()).data.length
  await house.poll(130)
  const [found] = (await house.client.batches.list()).data
  expect((await house.client.batches.list()).data).toHaveLength(known + 1)
  await house.end(found?.id ?? '', 'completed', 2)
  expect(await house.spent()).toBe(2 * EACH)
  await findAmongOthers(file.id)
  house.upstream.silent = true
  expect((await failureOf(house.begin(file.id))).status).toBe(502)
  house.upstream.batches.delete([...house.upstream.batches.keys()].at(-1) ?? '')
  await house.poll(130)
  expect(await house.spent()).toBeGreaterThan(0)
  await house.poll(400)
  expect((await house.client.batches.list()).data).toHaveLength(known + 2)
  expect(await house.balance(house.payer.userId)).toBe(await walletOf(house.payer.userId))
})

test('one that could not be written down any more is not begun twice, but found and paid', async () => {
  await house.spent()
  const file = await house.upload(lines(2))
  const { db } = house.store
  await sql`create trigger unwritable before update on batches when new.upstream_id <> ''
    begin select raise(abort, 'no'); end`.execute(db)
  try {
    const failure = await catchError(house.begin(file.id))
    expect(failure).toBeInstanceOf(OpenAI.APIError)
    const { status, headers } = failure as InstanceType<typeof OpenAI.APIError>
    expect([status, headers?.get('x-should-retry')]).toEqual([502, 'false'])
  } finally {
    await sql`drop trigger unwritable`.execute(db)
  }
  await house.poll(130)
  const [found] = (await house.client.batches.list()).data
  await house.end(found?.id ?? '', 'completed', 2)
  expect(await house.spent()).toBe(2 * EACH)
})

/** Others have begun so many since that it is not among the newest any more. */
async function findAmongOthers(fileId: string): Promise<void> {
  house.upstream.silent = true
  expect((await failureOf(house.begin(fileId))).status).toBe(502)
  const [hidden] = [...house.upstream.batches.values()].slice(-1)
  for (let at = 0; at < 230; at++) {
    const id = `batch_of_others_${at}`
    if (hidden) house.upstream.batches.set(id, { ...hidden, id, metadata: null })
  }
  await house.poll(400)
  for (const id of house.upstream.batches.keys())
    if (id.startsWith('batch_of_others')) house.upstream.batches.delete(id)
  const [found] = (await house.client.batches.list()).data
  await house.end(found?.id ?? '', 'completed', 2)
  expect(await house.spent()).toBe(2 * EACH)
}

test('what an account began long before is not gone through for one that it never took', async () => {
  const { upstream } = house
  const file = await house.upload(lines(1))
  upstream.silent = true
  expect((await failureOf(house.begin(file.id))).status).toBe(502)
  const [untaken] = [...upstream.batches.values()].slice(-1)
  const others = [...upstream.batches]
  upstream.batches.clear()
  for (let at = 0; at < 500 && untaken; at++) {
    const id = `batch_of_last_week_${at}`
    const created_at = untaken.created_at - 7 * 86_400
    upstream.batches.set(id, { ...untaken, id, created_at, metadata: null })
  }
  const pages = () =>
    upstream.requests.filter(({ method, path }) => `${method} ${path}` === 'GET /v1/batches')
  const before = pages().length
  await house.poll(130)
  expect(pages()).toHaveLength(before + 1)
  await house.poll(400)
  upstream.batches.clear()
  for (const [id, batch] of others) if (batch !== untaken) upstream.batches.set(id, batch)
})

test('one is found behind those of long before too, where these are told first', async () => {
  const { upstream } = house
  await house.spent()
  const file = await house.upload(lines(2))
  upstream.silent = true
  expect((await failureOf(house.begin(file.id))).status).toBe(502)
  const [hidden] = [...upstream.batches.values()].slice(-1)
  // The stand-in tells the last of these first.
  for (let at = 0; at < 230 && hidden; at++) {
    const id = `batch_from_of_old_${at}`
    const created_at = hidden.created_at - 7 * 86_400 - at * 60
    upstream.batches.set(id, { ...hidden, id, created_at, metadata: null })
  }
  await house.poll(400)
  for (const id of upstream.batches.keys())
    if (id.startsWith('batch_from_of_old')) upstream.batches.delete(id)
  const [found] = (await house.client.batches.list()).data
  await house.end(found?.id ?? '', 'completed', 2)
  expect(await house.spent()).toBe(2 * EACH)
})

/** What the books say that it is. */
async function walletOf(userId: number): Promise<number> {
  const entries = house.store.db.selectFrom('ledger_entries').where('user_id', '=', userId)
  const { sum } = await entries.select(one => one.fn.sum('user_amount').as('sum')).executeTakeFirstOrThrow()
  await house.spent()
  return Number(sum)
}
