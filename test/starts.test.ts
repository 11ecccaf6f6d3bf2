import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootClient } from './client.ts'
import {
  COMMAND,
  freshDataDir,
  preparedDataDir,
  ROOT_PASSWORD,
  spawnProgram,
  startProgram,
  until,
  withProgram,
} from './program.ts'
import { refusal } from './refusal.ts'
import { Authority } from './services/authority.ts'
import { dropAll, engines, startMariadb, startPostgres } from './services/databases.ts'
import { freePort } from './services/free-port.ts'
import { startRedis } from './services/redis.ts'

afterAll(dropAll)

const right = 'jK3x-9fQ2-mZ81-pW47-Lr05-tB66-Yc92-Dn34'

describe('starts that must fail', () => {
  test('a wrong value is refused with its name and what is allowed', async () => {
    const program = spawnProgram({ PORT: 'abc', WORKERS: '0', LOG_LEVEL: 'loud' })
    expect(await program.exited).toBe(78)
    expect(program.output()).toContain('PORT must be a whole number from 0 to 65535, not "abc"')
    expect(program.output()).toContain('WORKERS must be')
    expect(program.output()).toContain('LOG_LEVEL must be one of debug, info, warn, error')
  })

  test('another SECRET_KEY for the same database is told, and the right one still works', async () => {
    const dataDir = freshDataDir()
    await withProgram({ DATA_DIR: dataDir, SECRET_KEY: right, ROOT_PASSWORD }, async () => {})
    const wrong = spawnProgram({ DATA_DIR: dataDir, SECRET_KEY: right.split('').reverse().join('') })
    expect(await wrong.exited).toBe(78)
    expect(wrong.output()).toContain('SECRET_KEY does not belong to this database')
    await withProgram({ DATA_DIR: dataDir, SECRET_KEY: right }, async program => {
      await rootClient(program.url)
    })
  })

  test('a SECRET_KEY that was forgotten leaves none in its place, in no command, and a kept one stays', async () => {
    const dataDir = freshDataDir()
    await withProgram({ DATA_DIR: dataDir, SECRET_KEY: right, ROOT_PASSWORD }, async () => {})
    for (const command of [[], ['audit']]) {
      expect(await refusal({ DATA_DIR: dataDir }, command)).toContain(
        'SECRET_KEY does not belong to this database',
      )
      expect(readdirSync(dataDir).filter(name => name.startsWith('secret.key'))).toEqual([])
    }
    const kept = join(dataDir, 'secret.key')
    writeFileSync(kept, `${right.split('').reverse().join('')}\n`)
    expect(await refusal({ DATA_DIR: dataDir })).toContain('SECRET_KEY does not belong to this database')
    expect(existsSync(kept)).toBe(true)
  })

  test('a database that is not there: a clear line, retries, then an exit other than 0', async () => {
    const program = spawnProgram({ DATABASE_URL: 'postgres://u:hunter2secret@127.0.0.1:1/gate' })
    expect(await program.exited).toBe(69)
    expect(program.output()).toContain(
      'the database cannot be reached: PostgreSQL 127.0.0.1:1/gate: Failed to connect; trying again in 0.5 s',
    )
    expect(program.output()).toContain('Tollgate cannot start: the database cannot be reached')
    expect(program.output()).not.toContain('hunter2secret')
  })

  test('a port that is taken is told, and told again when it stays so, however many workers there are', async () => {
    const outcomes = ['1', '2'].map(async WORKERS => {
      const first = await startProgram({ WORKERS })
      const { port: PORT } = new URL(first.url)
      const lines = (await refusal({ PORT, WORKERS })).split('\n')
      expect(lines).toEqual([
        expect.stringContaining(`port ${PORT} is in use: waiting up to 10 s for it to be free`),
        `Tollgate cannot start: port ${PORT} is in use: stop what listens there or set another PORT`,
      ])
      await first.stop()
    })
    await Promise.all(outcomes)
  })

  test.each([
    ['192.0.2.1', 'HOST 192.0.2.1 is no address of this machine: 0.0.0.0 or :: means all of them'],
    ['gate.invalid', 'HOST gate.invalid is no name that leads to this machine'],
  ])('a HOST that cannot be listened on is told: %s', async (HOST, told) => {
    expect(await refusal({ HOST })).toBe(`Tollgate cannot start: ${told}`)
  })

  test('a data directory that cannot be one is told, also when nothing but the journal would be there', async () => {
    const DATA_DIR = join(freshDataDir(), 'file')
    writeFileSync(DATA_DIR, '')
    const elsewhere = { SECRET_KEY: right, DATABASE_URL: 'postgres://u@127.0.0.1:1/gate' }
    for (const environment of [{ DATA_DIR }, { DATA_DIR, ...elsewhere }])
      expect(await refusal(environment)).toBe(
        `Tollgate cannot start:\n  DATA_DIR ${DATA_DIR} is not a folder: name another`,
      )
  })

  test('a database file that is none is told at once', async () => {
    const DATA_DIR = freshDataDir()
    const file = join(DATA_DIR, 'tollgate.db')
    const start = `Tollgate cannot start: the database cannot be used: SQLite ${file}: `
    writeFileSync(file, 'these are notes, and not a database\n'.repeat(100))
    expect(await refusal({ DATA_DIR })).toStartWith(`${start}the file is not an SQLite database`)
    expect(await refusal({ DATA_DIR, DATABASE_URL: `sqlite:${DATA_DIR}` })).toContain(
      'it must be a file that',
    )
  })

  test('a database file that somebody reads in while it is to be switched over is told, and waited for', async () => {
    const DATA_DIR = await preparedDataDir()
    const reader = new Database(join(DATA_DIR, 'tollgate.db'))
    reader.run('pragma journal_mode = delete')
    reader.run('begin')
    reader.query('select count(*) from users').get()
    const program = spawnProgram({ DATA_DIR })
    await until(() => program.output().includes('database is locked; trying again in 0.5 s'))
    reader.run('commit')
    reader.close()
    await until(() => program.output().includes('is listening on'))
    expect(await program.stop()).toBe(0)
  })

  test('the names that older tools read are pointed out, and what they mean here', async () => {
    const older = { SQL_DSN: 'root:hunter2@tcp(db:3306)/oneapi', RELAY_TIMEOUT: '30', WORKERS: '1' }
    const program = await startProgram({ ...older, NUM_WORKERS: '4', LITELLM_MASTER_KEY: 'sk-hunter2' })
    for (const told of [
      'SQL_DSN is not read here: DATABASE_URL names a database of this program’s own',
      'RELAY_TIMEOUT is not read here: it is the setting UpstreamAnswerSeconds in the console',
      'LITELLM_MASTER_KEY is not read here: whoever called with it gets a token',
    ])
      expect(program.output()).toContain(told)
    expect(program.output()).not.toContain('NUM_WORKERS')
    expect(program.output()).not.toContain('hunter2')
    await program.stop()
  })

  test('a time zone that is none is pointed out, and one that is there is not', async () => {
    const told = (TZ: string) =>
      `TZ ${TZ} is no time zone that is known here, and days end at midnight of UTC`
    for (const [TZ, isTold] of [
      ['Asia/Beijing', true],
      ['CST-8', true],
      ['Asia/Shanghai', false],
      ['Etc/UTC', false],
    ] as const)
      await withProgram({ TZ, DATA_DIR: await preparedDataDir() }, async program => {
        expect([TZ, program.output().includes(told(TZ))]).toEqual([TZ, isTold])
      })
  })

  test('who asks for help or the version gets it, and nothing is made', async () => {
    const DATA_DIR = join(freshDataDir(), 'none')
    const asked = (word: string) => Bun.spawnSync([...COMMAND, word], { env: { DATA_DIR } })
    expect(asked('--help').stdout.toString()).toContain('import <database>')
    expect(asked('--version').stdout.toString()).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(asked('improt').stderr.toString()).toContain('"improt" is no command')
    expect(existsSync(DATA_DIR)).toBe(false)
  })
})

test.each([
  ['PostgreSQL', startPostgres],
  ['MariaDB', startMariadb],
] as const)('a database or an account that %s does not have is told at once', async (_name, start) => {
  const server = await start()
  try {
    const url = new URL(server.url)
    url.pathname = '/nosuch'
    expect(await refusal({ DATABASE_URL: url.href })).toContain(
      `${url.host}/nosuch: there is no such database: create it, or see DATABASE_URL`,
    )
    url.username = 'stranger'
    url.password = 'hunter2secret'
    url.pathname = new URL(server.url).pathname
    const refused = await refusal({ DATABASE_URL: url.href })
    expect(refused).toContain('the account or its password is refused: see DATABASE_URL')
    expect(refused).not.toContain('hunter2secret')
  } finally {
    await server.close()
  }
})

test('a new database of PostgreSQL in which not everything can be written is refused, and left as it is', async () => {
  const server = await startPostgres()
  try {
    const url = new URL(server.url)
    const sql = new Bun.SQL(server.url)
    await sql.unsafe(
      "create database western template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'",
    )
    await sql.close()
    url.pathname = '/western'
    const refused = await refusal({ DATABASE_URL: url.href })
    expect(refused).toContain('the database cannot be used: PostgreSQL')
    expect(refused).toContain('/western: its encoding is LATIN1')
    const western = new Bun.SQL(url.href)
    expect(await western`select tablename from pg_tables where schemaname = 'public'`).toHaveLength(0)
    await western.close()
  } finally {
    await server.close()
  }
})

test.each([
  [
    'PostgreSQL',
    startPostgres,
    'alter role gate set default_transaction_read_only = on',
    'alter role gate reset default_transaction_read_only',
    ['create role gate superuser login'],
  ],
  [
    'MariaDB',
    startMariadb,
    'set global tx_read_only = 1',
    'set global tx_read_only = 0',
    ["create user gate@'127.0.0.1'", "grant all on *.* to gate@'127.0.0.1'"],
  ],
] as const)(
  '%s that takes no writes is waited for, as one that is not there',
  async (_name, start, on, off, setUp) => {
    const server = await start()
    const admin = new Bun.SQL(server.url, { max: 1 })
    for (const statement of setUp) await admin.unsafe(statement)
    const url = new URL(server.url)
    url.username = 'gate'
    const environment = { DATABASE_URL: url.href, SECRET_KEY: right, ROOT_PASSWORD }
    try {
      await withProgram(environment, async () => {})
      await admin.unsafe(on)
      const program = spawnProgram(environment)
      await until(() => program.output().includes('it takes no writes now: it is read-only, or a replica'))
      await admin.unsafe(off)
      await until(() => program.output().includes('listening on'))
      expect(await program.stop()).toBe(0)
      expect(program.output()).not.toMatch(/^\s+at /m)
    } finally {
      await admin.close()
      await server.close()
    }
  },
)

test('PostgreSQL is reached with TLS, and its certificate is verified where that is asked for', async () => {
  const authority = new Authority()
  const server = await startPostgres({ certificate: authority.issue('127.0.0.1') })
  const asked = { DATABASE_URL: `${server.url}?sslmode=verify-full` }
  try {
    expect(await refusal(asked)).toContain('NODE_EXTRA_CA_CERTS names a file of the authority behind it')
    await withProgram({ ...asked, NODE_EXTRA_CA_CERTS: authority.file, ROOT_PASSWORD }, async program => {
      await rootClient(program.url)
      const sql = new Bun.SQL(server.url, { max: 1 })
      const ours = await sql`select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid)
        where application_name = 'tollgate'`
      await sql.close()
      expect([...ours]).toEqual([{ ssl: true }])
    })
  } finally {
    await server.close()
    authority.close()
  }
})

test('Redis is reached with TLS by an account of its own, and why it refuses somebody is told', async () => {
  const authority = new Authority()
  const server = await startRedis({ certificate: authority.issue('127.0.0.1') })
  const trusting = { NODE_EXTRA_CA_CERTS: authority.file }
  const oddly = 'p@ss:w/rd% é'
  const as = (password: string) =>
    server.url.replace('//', `//gate:${encodeURIComponent(password)}@`).concat('/3')
  const told = async (environment: Record<string, string>): Promise<string> => {
    let line = ''
    await withProgram(environment, async program => {
      line = await until(() => /"message":"Redis does not let this program in.*/.exec(program.output())?.[0])
      expect(program.output()).not.toContain('hunter2secret')
    })
    return line
  }
  const client = new Bun.RedisClient(server.url, { tls: { ca: authority.text } })
  try {
    const rights = ['~tollgate:*', '&tollgate:*', '+@all']
    await client.send('ACL', ['SETUSER', 'gate', 'on', `>${oddly}`, ...rights])
    await withProgram({ ...trusting, REDIS_URL: as(oddly) }, async program => {
      // Two that count or carry, one that listens: all of them in the database that was named.
      await until(async () => {
        const list = String(await client.send('CLIENT', ['LIST']))
        return list.split('\n').filter(line => / db=3 .* user=gate /.test(line)).length >= 3
      })
      expect(program.output()).not.toContain('Redis does not let this program in')
    })
    expect(await told({ ...trusting, REDIS_URL: as('hunter2secret') })).toContain('WRONGPASS')
    expect(await told({ REDIS_URL: as(oddly) })).toMatch(/certificate/)
  } finally {
    client.close()
    await server.close()
    authority.close()
  }
})

test.each(['1', '2'])('who had the port may still be ending, with WORKERS=%s', async WORKERS => {
  const PORT = String(await freePort())
  const former = await startProgram({ PORT, WORKERS })
  const next = spawnProgram({ PORT, WORKERS })
  await until(() => next.output().includes(`port ${PORT} is in use: waiting`))
  await former.stop()
  await until(() => next.output().includes(`listening on http://127.0.0.1:${PORT}`))
  expect((await fetch(`http://127.0.0.1:${PORT}/readyz`)).status).toBe(200)
  await next.stop()
})

test('who is told to end while it waits for the port ends', async () => {
  const PORT = String(await freePort())
  const former = await startProgram({ PORT })
  for (const WORKERS of ['1', '2']) {
    const next = spawnProgram({ PORT, WORKERS })
    await until(() => next.output().includes('is in use: waiting'))
    expect(await next.stop()).toBe(0)
  }
  await former.stop()
})

test('a container asks the program itself whether it is alive', async () => {
  const DATA_DIR = join(freshDataDir(), 'none')
  // As Docker gives to its containers where it was told of one; nothing listens there.
  const elsewhere = 'http://127.0.0.1:1'
  const byProxy = { HTTP_PROXY: elsewhere, http_proxy: elsewhere, ALL_PROXY: elsewhere }
  const ask = async (url: string) => {
    const { hostname: HOST, port: PORT } = new URL(url)
    const env = { HOST, PORT, DATA_DIR, ...byProxy }
    const asking = Bun.spawn([...COMMAND, 'health'], { env })
    return { code: await asking.exited, said: await new Response(asking.stdout).text() }
  }
  let address = ''
  // Its port goes to nobody else once it has ended.
  await withProgram({ ROOT_PASSWORD, PORT: String(await freePort()) }, async ({ url }) => {
    address = url
    expect(await ask(url)).toEqual({ code: 0, said: 'alive\n' })
  })
  expect(await ask(address)).toEqual({ code: 1, said: `nothing answers at ${address}/healthz\n` })
  expect(existsSync(DATA_DIR)).toBe(false)
})

describe.each(engines.map(engine => [engine.name, engine] as const))('versions on %s', (_name, engine) => {
  test('a database that a newer program has changed is refused and left as it is', async () => {
    const DATABASE_URL = await engine.freshUrl()
    const DATA_DIR = freshDataDir()
    await withProgram({ DATABASE_URL, DATA_DIR, ROOT_PASSWORD }, async () => {})
    const sql = new Bun.SQL(DATABASE_URL)
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01T00:00:00Z')`
    const told = 'this database was brought up to date by a newer Tollgate (9999-later)'
    expect(await refusal({ DATABASE_URL, DATA_DIR })).toContain(told)
    expect(audit({ DATABASE_URL, DATA_DIR }).stderr.toString()).toContain(told)
    await sql`delete from kysely_migration where name = '9999-later'`
    await sql.close()
    expect(audit({ DATABASE_URL, DATA_DIR }).exitCode).toBe(0)
  })

  test('one of an older program is left as it is by a start with another SECRET_KEY', async () => {
    const DATABASE_URL = await engine.freshUrl()
    const DATA_DIR = freshDataDir()
    await withProgram({ DATABASE_URL, DATA_DIR, SECRET_KEY: right, ROOT_PASSWORD }, async () => {})
    const sql = new Bun.SQL(DATABASE_URL)
    const steps = async (): Promise<string[]> =>
      (await sql`select name from kysely_migration order by name`).map(({ name }: { name: string }) => name)
    const older = (await steps()).slice(0, -1)
    await sql`delete from kysely_migration where name > ${older.at(-1)}`
    // The folder with the key in it was lost: a new one gets a key of its own.
    const said = await refusal({ DATABASE_URL, DATA_DIR: freshDataDir() })
    expect(said).toContain('SECRET_KEY does not belong to this database')
    expect(await steps()).toEqual(older)
    await sql.close()
  })

  test('an audit of nothing says so, and makes nothing', async () => {
    const DATABASE_URL = await engine.emptyUrl()
    const said = audit({ DATABASE_URL, DATA_DIR: freshDataDir() })
    expect(said.exitCode).toBe(78)
    expect(said.stderr.toString()).toMatch(/there is no database|there is nothing of Tollgate/)
  })
})

function audit(environment: Record<string, string>) {
  return Bun.spawnSync([...COMMAND, 'audit'], { env: environment })
}
