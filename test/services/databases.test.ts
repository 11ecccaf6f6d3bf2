import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dropAll, engines, redisUrl, startMariadb, startPostgres, startRedis } from './databases.ts'

afterAll(dropAll)

describe('a fresh database', () => {
  for (const engine of engines) {
    test(`is empty and new each time on ${engine.name}`, async () => {
      const [first, second] = [await engine.freshUrl(), await engine.freshUrl()]
      expect(first).not.toBe(second)
      for (const url of [first, second]) {
        const sql = new Bun.SQL(url)
        await sql.unsafe('CREATE TABLE only_here (id INT)')
        expect(await sql.unsafe('SELECT id FROM only_here')).toHaveLength(0)
        await sql.close()
      }
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
