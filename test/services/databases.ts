import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMariadb } from './mariadb.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'

export { startMariadb, startPostgres, startRedis }

/** Each engine of the store, and a brand-new empty database on it. */
export type Engine = { readonly name: 'sqlite' | 'postgres' | 'mariadb'; freshUrl(): Promise<string> }

export const engines: readonly Engine[] = [
  { name: 'sqlite', freshUrl: async () => `sqlite:${join(freshFolder(), 'tollgate.db')}` },
  { name: 'postgres', freshUrl: () => freshDatabase(postgresUrl) },
  { name: 'mariadb', freshUrl: () => freshDatabase(mariadbUrl) },
]

/** The Redis that the whole run shares. */
export const redisUrl = sharedServer('TOLLGATE_TEST_REDIS', startRedis)
const postgresUrl = sharedServer('TOLLGATE_TEST_POSTGRES', startPostgres)
const mariadbUrl = sharedServer('TOLLGATE_TEST_MARIADB', startMariadb)

const drops: (() => Promise<void>)[] = []

/** Removes every database that `freshUrl` made in this file. */
export async function dropAll(): Promise<void> {
  // At once: each waits for the server more than it keeps it busy.
  await Promise.all(drops.splice(0).map(drop => drop()))
}

/**
 * `npm test` starts one server of each kind and names it in the environment. A test file run by itself
 * starts its own on first use; the environment then carries it to the files that follow in this process.
 */
function sharedServer(variable: string, start: () => Promise<{ url: string }>): () => Promise<string> {
  let starting: Promise<string> | undefined
  return () => {
    const known = process.env[variable]
    if (known) return Promise.resolve(known)
    starting ??= start().then(server => {
      process.env[variable] = server.url
      return server.url
    })
    return starting
  }
}

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `tollgate-sqlite-${process.pid}-`))
  drops.push(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function freshDatabase(serverUrl: () => Promise<string>): Promise<string> {
  const url = new URL(await serverUrl())
  const admin = url.href
  const isPostgres = url.protocol === 'postgres:'
  const name = `tollgate_${randomBytes(6).toString('hex')}`
  await runSql(admin, `CREATE DATABASE ${name}${isPostgres ? '' : ' CHARACTER SET utf8mb4'}`)
  drops.push(() => runSql(admin, `DROP DATABASE IF EXISTS ${name}${isPostgres ? ' WITH (FORCE)' : ''}`))
  url.pathname = `/${name}`
  return url.href
}

async function runSql(url: string, statement: string): Promise<void> {
  const sql = new Bun.SQL(url, { max: 1 })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.close()
  }
}
