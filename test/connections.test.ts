import { expect, test } from 'bun:test'
import { rootClient } from './client.ts'
import { ROOT_PASSWORD, spawnProgram, startProgram, until } from './program.ts'
import { startPostgres } from './services/databases.ts'

/** What PostgreSQL itself counts. */
async function connectionsOf(sql: Bun.SQL): Promise<number> {
  const [row] =
    await sql`select count(*)::int as count from pg_stat_activity where application_name = 'tollgate'`
  return row.count
}

test('workers share the connections they are given, and serve with them', async () => {
  const postgres = await startPostgres({ connections: 20 })
  const look = new Bun.SQL(postgres.url, { max: 1 })
  const program = await startProgram({
    DATABASE_URL: postgres.url,
    ROOT_PASSWORD,
    WORKERS: '3',
    DATABASE_CONNECTIONS: '12',
  })
  try {
    const root = await rootClient(program.url)
    await root.liftLimits()
    await until(async () => {
      const text = await (await fetch(`${program.url}/metrics`)).text()
      return [0, 1, 2].every(slot => text.includes(`tollgate_process_resident_bytes{worker="${slot}"}`))
    })
    let most = 0
    let isOver = false
    const watching = (async () => {
      while (!isOver) {
        most = Math.max(most, await connectionsOf(look))
        await Bun.sleep(20)
      }
    })()
    // Reads, and writes that each take a transaction: more at once than there are connections.
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, at) =>
        at % 3 === 0
          ? root.post('/api/token/', { name: `t${at}`, unlimited_quota: true, expired_time: -1 })
          : root.get('/api/log/?p=0'),
      ),
    )
    isOver = true
    await watching
    expect(answers.map(({ status, json }) => [status, json?.success])).toEqual(answers.map(() => [200, true]))
    expect(most).toBeWithin(3, 13)
    expect((await root.get('/readyz')).status).toBe(200)
  } finally {
    await program.stop()
    await look.close()
    await postgres.close()
  }
})

test('a server without a connection left is told as such, with what to do', async () => {
  const postgres = await startPostgres({ connections: 12 })
  const others = new Bun.SQL(postgres.url, { max: 30 })
  try {
    await Promise.allSettled(Array.from({ length: 30 }, () => others`select pg_sleep(1)`))
    const program = spawnProgram({ DATABASE_URL: postgres.url })
    expect(await program.exited).toBe(69)
    expect(program.output()).toContain('the server has no connection left to give: raise its max_connections')
    expect(program.output()).toContain('DATABASE_CONNECTIONS')
    expect(program.output()).not.toMatch(/^\s+at /m)
  } finally {
    await others.close()
    await postgres.close()
  }
})
