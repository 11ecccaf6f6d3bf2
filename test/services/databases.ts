import { randomBytes } from 'node:crypto'
import { constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseServer } from './database-process.ts'
import { startMariadb } from './mariadb.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import { copyTemplate, createDatabase, isPostgres, runSql, within } from './templates.ts'

export { startMariadb, startPostgres, startRedis }

/** Each engine of the store, and a database of one's own on it. */
export type Engine = {
  readonly name: 'sqlite' | 'postgres' | 'mariadb'
  /** Has the tables of now, and nothing in them. */
  freshUrl(): Promise<string>
  /** Has no tables: for tests of how they come to be. */
  emptyUrl(): Promise<string>
}

export const engines: readonly Engine[] = [
  {
    name: 'sqlite',
    freshUrl: async () => `sqlite:${await copySqliteTemplate(freshFolder())}`,
    emptyUrl: async () => `sqlite:${join(freshFolder(), SQLITE_FILE)}`,
  },
  {
    name: 'postgres',
    freshUrl: () => onServer(postgresUrl, copyTemplate),
    emptyUrl: () => onServer(postgresUrl, makeEmpty),
  },
  {
    name: 'mariadb',
    freshUrl: () => onServer(mariadbUrl, copyTemplate),
    emptyUrl: () => onServer(mariadbUrl, makeEmpty),
  },
]

/** As the program names it in its data directory. */
const SQLITE_FILE = 'tollgate.db'

/** The Redis that the whole run shares. */
export const redisUrl = shared('TOLLGATE_TEST_REDIS', async () => (await startRedis()).url)
const postgresUrl = shared('TOLLGATE_TEST_POSTGRES', () => startWithTemplate(startPostgres))
const mariadbUrl = shared('TOLLGATE_TEST_MARIADB', () => startWithTemplate(startMariadb))
const sqliteTemplate = shared('TOLLGATE_TEST_SQLITE', async () => {
  const folder = mkdtempSync(join(tmpdir(), `tollgate-sqlite-${process.pid}-`))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return (await templateMakers()).makeSqliteTemplate(folder)
})

const drops: (() => Promise<void>)[] = []

/** Removes every database that `freshUrl` made in this file. */
export async function dropAll(): Promise<void> {
  // At once: each waits for the server more than it keeps it busy.
  await Promise.all(drops.splice(0).map(drop => drop()))
}

/** An SQLite database with the tables of now, where the program looks for its own; answers the file. */
export async function copySqliteTemplate(dataDir: string): Promise<string> {
  const file = join(dataDir, SQLITE_FILE)
  copyFileSync(await sqliteTemplate(), file, constants.COPYFILE_EXCL)
  return file
}

/**
 * `npm test` starts one server of each kind and names it in the environment. A test file run by itself
 * starts its own on first use; the environment then carries it to the files that follow in this process.
 */
function shared(variable: string, start: () => Promise<string>): () => Promise<string> {
  let starting: Promise<string> | undefined
  return () => {
    const known = process.env[variable]
    if (known) return Promise.resolve(known)
    starting ??= start().then(address => {
      process.env[variable] = address
      return address
    })
    return starting
  }
}

async function startWithTemplate(start: () => Promise<DatabaseServer>): Promise<string> {
  const [{ withTemplate }, server] = await Promise.all([templateMakers(), start()])
  return (await withTemplate(server)).url
}

/** Loaded by who makes one: in `npm test` that is not the test file, which starts sooner without. */
const templateMakers = () => import('./make-templates.ts')

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `tollgate-sqlite-${process.pid}-`))
  drops.push(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function onServer(
  serverUrl: () => Promise<string>,
  make: (url: string, name: string) => Promise<string>,
): Promise<string> {
  const url = await serverUrl()
  const name = `tollgate_${randomBytes(6).toString('hex')}`
  drops.push(() => runSql(url, `DROP DATABASE IF EXISTS ${name}${isPostgres(url) ? ' WITH (FORCE)' : ''}`))
  return make(url, name)
}

async function makeEmpty(url: string, name: string): Promise<string> {
  await runSql(url, createDatabase(url, name))
  return within(url, name)
}
