import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { type RawBuilder, sql } from 'kysely'
import type { Store } from '../../server/store/index.ts'
import { openSampleStore } from '../sample-store.ts'
import { dropAll, engines, redisUrl, startMariadb, startPostgres, startRedis } from './databases.ts'

afterAll(dropAll)

describe('an empty database', () => {
  for (const engine of engines) {
    test(`is empty and new each time on ${engine.name}`, async () => {
      const [first, second] = [await engine.emptyUrl(), await engine.emptyUrl()]
      expect(first).not.toBe(second)
      for (const url of [first, second]) {
        const database = new Bun.SQL(url)
        await database.unsafe('CREATE TABLE only_here (id INT)')
        expect(await database.unsafe('SELECT id FROM only_here')).toHaveLength(0)
        await database.close()
      }
    })
  }
})

describe('a fresh database', () => {
  for (const engine of engines) {
    test(`is what the migrations make of an empty one on ${engine.name}`, async () => {
      const copied = await openSampleStore(await engine.freshUrl())
      const made = await openSampleStore(await engine.emptyUrl())
      expect(copied.migrated).toEqual([])
      expect(made.migrated.length).toBeGreaterThan(0)
      expect(await describeTables(copied)).toEqual(await describeTables(made))
      expect(copied.instanceId).not.toBe(made.instanceId)
      await copied.close()
      await made.close()
    })
  }

  test('is gone after dropAll', async () => {
    const url = (await engines[0]?.freshUrl()) ?? ''
    const folder = url.slice('sqlite:'.length).replace('/tollgate.db', '')
    expect(existsSync(folder)).toBe(true)
    await dropAll()
    expect(existsSync(folder)).toBe(false)
  })
})

/** Every word by which an engine would make its tables, indexes and triggers again. */
async function describeTables({ db, engine }: Store): Promise<unknown[]> {
  const read = async (query: RawBuilder<unknown>) => (await query.execute(db)).rows
  if (engine === 'sqlite') return read(sql`select type, name, tbl_name, sql from sqlite_schema order by name`)
  const schema = engine === 'postgres' ? sql`current_schema()` : sql`database()`
  const columns = await read(sql`
    select table_name, ordinal_position, column_name, data_type, character_maximum_length, column_default, is_nullable
    from information_schema.columns where table_schema = ${schema} order by 1, 2`)
  const rest =
    engine === 'postgres'
      ? sql`select indexdef from pg_indexes where schemaname = ${schema} order by 1`
      : sql`select table_name, index_name, seq_in_index, column_name, sub_part, non_unique, collation, index_type
          from information_schema.statistics where table_schema = ${schema} order by 1, 2, 3`
  const known = await read(sql`select name from kysely_migration order by name`)
  return [...columns, ...(await read(rest)), ...known]
}

for (const [name, startServer] of [
  ['postgres', startPostgres],
  ['mariadb', startMariadb],
] as const) {
  test(`a private ${name} keeps committed rows over a crash and comes back on its port`, async () => {
    const server = await startServer()
    const before = new Bun.SQL(server.url, { max: 1 })
    await before.unsafe('CREATE TABLE kept (id INT)')
    await before.unsafe('INSERT INTO kept VALUES (7)')
    await server.stop('crash')
    await expect(before.unsafe('SELECT 1')).rejects.toThrow()
    await server.start()
    const after = new Bun.SQL(server.url, { max: 1 })
    expect(await after.unsafe('SELECT id FROM kept')).toEqual([{ id: 7 }])
    await after.close()
    await server.stop('orderly')
    await server.close()
  })
}

test('Redis answers, shared and private', async () => {
  const server = await startRedis()
  for (const url of [server.url, await redisUrl()]) {
    const client = new Bun.RedisClient(url)
    expect(await client.ping()).toBe('PONG')
    client.close()
  }
  await server.close()
})
