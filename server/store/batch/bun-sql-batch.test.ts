import { afterAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { startTcpProxy } from '../../../test/faults/tcp-proxy.ts'
import { until } from '../../../test/program.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { isUnavailable } from '../store-error.ts'
import { integer } from './bulk.ts'
import { bunSqlBatch } from './bun-sql-batch.ts'

afterAll(dropAll)

test.each([
  ['postgres', 'postgres'],
  ['mariadb', 'mysql'],
] as const)(
  'a server that has gone silent ends the batch, and the next one goes through (%s)',
  async (name, engine) => {
    const url = new URL((await engines.find(found => found.name === name)?.freshUrl()) ?? '')
    const direct = new SQL(url.href, { max: 1 })
    await direct.unsafe('create table users (id bigint primary key, quota bigint)')
    await direct.unsafe('insert into users values (1, 5)')
    const proxy = await startTcpProxy(Number(url.port))
    url.port = String(proxy.port)
    const sql = new SQL(url.href, { max: 1, bigint: true })
    const batch = bunSqlBatch(engine, sql, 1000)
    const reads = [
      { table: 'users', key: integer('id'), columns: ['quota'], values: [1], lock: true },
    ] as const
    const quota = (onRead = () => {}) =>
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
    expect(await quota()).toBe(5)
    // Silent in the middle of a transaction that has locked the row, on all connections there are.
    const failure = await quota(() => proxy.silence()).catch(error => error)
    expect(isUnavailable(failure)).toBe(true)
    expect(await quota()).toBe(5)
    await sql.close({ timeout: 0 })
    await direct.close()
    await proxy.close()
  },
)

test.each(['postgres', 'mysql'] as const)(
  'a batch that loses a deadlock may be tried again (%s)',
  async engine => {
    const name = engine === 'mysql' ? 'mariadb' : engine
    const url = (await engines.find(found => found.name === name)?.freshUrl()) ?? ''
    const sql = new SQL(url, { max: 3, bigint: true })
    await sql.unsafe('create table users (id bigint primary key, quota bigint)')
    await sql.unsafe('insert into users values (1, 5), (2, 5)')
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
