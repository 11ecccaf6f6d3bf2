import { afterAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { startTcpProxy } from '../../../test/faults/tcp-proxy.ts'
import { until } from '../../../test/program.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { isUnavailable } from '../store-error.ts'
import type { RunBatch } from './batch.ts'
import { type BulkRead, type BulkWrite, type Cell, type Column, integer, text } from './bulk.ts'
import { bunSqlBatch } from './bun-sql-batch.ts'

afterAll(dropAll)

/** A database with an empty table of users. */
async function openUsers(engine: 'postgres' | 'mysql', { connections = 1 } = {}): Promise<SQL> {
  const name = engine === 'mysql' ? 'mariadb' : engine
  const url = (await engines.find(found => found.name === name)?.emptyUrl()) ?? ''
  const sql = new SQL(url, { max: connections, bigint: true })
  await sql.unsafe('create table users (id bigint primary key, quota bigint, username varchar(99))')
  return sql
}

test.each([
  ['postgres', 'postgres'],
  ['mariadb', 'mysql'],
] as const)(
  'a server that has gone silent ends the batch, and the next one goes through (%s)',
  async (name, engine) => {
    const url = new URL((await engines.find(found => found.name === name)?.emptyUrl()) ?? '')
    const direct = new SQL(url.href, { max: 1 })
    await direct.unsafe('create table users (id bigint primary key, quota bigint)')
    await direct.unsafe('insert into users values (1, 5)')
    const proxy = await startTcpProxy(Number(url.port))
    url.port = String(proxy.port)
    const sql = new SQL(url.href, { max: 1, bigint: true })
    const [patient, impatient] = [
      bunSqlBatch(engine, sql, { withinMs: 60_000 }),
      bunSqlBatch(engine, sql, { withinMs: 1000 }),
    ]
    const reads = [
      { table: 'users', key: integer('id'), columns: ['quota'], values: [1], lock: true },
    ] as const
    const quota = (batch: RunBatch, onRead = () => {}) =>
      batch(
        {
          thread: new URL('none:'),
          reads: () => reads,
          decide([rows]) {
            onRead()
            return { writes: [], result: rows?.[0]?.quota }
          },
        },
        () => undefined,
      )
    expect(await quota(patient)).toBe(5)
    // Silent in the middle of a transaction that has locked the row, on all connections there are.
    const failure = await quota(impatient, () => proxy.silence()).catch(error => error)
    expect(isUnavailable(failure)).toBe(true)
    expect(await quota(patient)).toBe(5)
    await sql.close({ timeout: 0 })
    await direct.close()
    await proxy.close()
  },
)

test.each(['postgres', 'mysql'] as const)(
  'a batch that loses a deadlock may be tried again (%s)',
  async engine => {
    const sql = await openUsers(engine, { connections: 3 })
    await sql.unsafe('insert into users (id, quota) values (1, 5), (2, 5)')
    const read = (id: number) =>
      ({ table: 'users', key: integer('id'), columns: ['quota'], values: [id], lock: true }) as const
    const other = await sql.reserve()
    await other.unsafe('begin')
    await other.unsafe('select quota from users where id = 2 for update')
    const lockBoth = {
      thread: new URL('none:'),
      reads: () => [read(1), read(2)],
      decide: () => ({ writes: [], result: 'done' }),
    }
    const batch = bunSqlBatch(engine, sql)(lockBoth, () => undefined)
    const outcome = batch.catch(error => (isUnavailable(error) ? 'unavailable' : error))
    const free = 'select id from users where id = 1 for update skip locked'
    await until(async () => (await sql.unsafe(free)).length === 0)
    // One of the two is told to give way; which one is the server's choice.
    const theirs = await other.unsafe('select quota from users where id = 1 for update').then(
      () => other.unsafe('commit').then(() => 'done'),
      () => 'gave way',
    )
    await other.unsafe('rollback').catch(() => {})
    other.release()
    expect(['unavailable', 'done']).toContain(await outcome)
    expect([await outcome, theirs]).toContain('done')
    await sql.close({ timeout: 0 })
  },
)

const write = (kind: 'insert' | 'set' | 'add' | 'upsert-add', id: number, quota: number): BulkWrite => ({
  kind,
  table: 'users',
  keys: 1,
  columns: [integer('id'), integer('quota')],
  rows: [[id, quota]],
})
const writing = (writes: readonly BulkWrite[]) => ({
  thread: new URL('none:'),
  reads: () =>
    [{ table: 'users', key: integer('id'), columns: ['id'], values: [1], lock: true }] satisfies BulkRead[],
  decide: () => ({ writes, result: 'done' }),
})

test('what a batch writes is one transaction, also when the connection meets a statement for the first time (postgres)', async () => {
  const sql = await openUsers('postgres')
  const batch = bunSqlBatch('postgres', sql)
  await batch(writing([write('insert', 1, 5)]), () => undefined)
  // Known, new, known, new, known: nothing may overtake, least of all the commit.
  const mixed = [
    write('insert', 2, 5),
    write('set', 1, 6),
    write('insert', 3, 5),
    write('upsert-add', 4, 7),
    write('insert', 5, 5),
  ]
  await batch(writing(mixed), () => undefined)
  expect(await sql.unsafe('select id, quota from users order by id')).toEqual([
    { id: 1n, quota: 6n },
    { id: 2n, quota: 5n },
    { id: 3n, quota: 5n },
    { id: 4n, quota: 7n },
    { id: 5n, quota: 5n },
  ])
  expect(await sql.unsafe('select distinct xmin::text from users')).toHaveLength(1)
  await sql.close({ timeout: 0 })
})

test.each(['postgres', 'mysql'] as const)(
  'a write that fails takes the whole batch back, and the connection is as good as before (%s)',
  async engine => {
    const sql = await openUsers(engine)
    const batch = bunSqlBatch(engine, sql)
    const rows = async () =>
      (await sql.unsafe('select id, quota from users order by id')).map(
        ({ id, quota }: Record<string, unknown>) => [Number(id), Number(quota)],
      )
    await batch(writing([write('insert', 1, 5)]), () => undefined)
    await sql.unsafe('create table tokens (id bigint primary key, quota bigint)')
    await sql.unsafe('insert into tokens values (1, 5)')
    // On PostgreSQL several statements, and one for both tables with the commit right behind it.
    const bySeveral = [write('add', 1, 10), write('insert', 1, 9), write('insert', 2, 5)]
    const byOne = [write('add', 1, 10), { ...write('insert', 1, 9), table: 'tokens' } as const]
    for (const [round, wrong] of [bySeveral, byOne, bySeveral, byOne].entries()) {
      const failure = await batch(writing(wrong), () => undefined).catch(error => error)
      expect(failure).toBeInstanceOf(Error)
      expect(await rows()).toEqual([[1, 5 + round]])
      await batch(writing([write('add', 1, 1)]), () => undefined)
      expect(await rows()).toEqual([[1, 6 + round]])
    }
    await sql.close({ timeout: 0 })
  },
)

test.each(['postgres', 'mysql'] as const)('one row is written as many are (%s)', async engine => {
  const sql = await openUsers(engine)
  const batch = bunSqlBatch(engine, sql)
  const most = Number.MAX_SAFE_INTEGER
  const of = (kind: BulkWrite['kind'], columns: Column[], ...rows: Cell[][]): BulkWrite => ({
    kind,
    table: 'users',
    keys: 1,
    columns,
    rows,
  })
  const whole = [integer('id'), integer('quota'), text('username')]
  const amount = [integer('id'), integer('quota')]
  const odd = `o'Hara \\ "模型" 💶 $1 {}`
  const steps = (ids: number[]) => [
    of('insert', whole, ...ids.map(id => [id, 3_000_000_000, odd])),
    of('add', amount, ...ids.map(id => [id, -3_000_000_001])),
    of('upsert-add', amount, ...ids.map(id => [id, most])),
    of('set', [integer('id'), text('username')], ...ids.map(id => [id, id % 2 ? null : `${odd}!`])),
  ]
  for (const ids of [[1], [2], [3, 4]])
    for (const step of steps(ids)) await batch(writing([step]), () => undefined)
  const rows = await sql.unsafe('select id, quota, username from users order by id')
  const quota = BigInt(most) - 1n
  expect([...rows].map(row => ({ ...row, id: BigInt(row.id), quota: BigInt(row.quota) }))).toEqual([
    { id: 1n, quota, username: null },
    { id: 2n, quota, username: `${odd}!` },
    { id: 3n, quota, username: null },
    { id: 4n, quota, username: `${odd}!` },
  ])
  await sql.close({ timeout: 0 })
})
