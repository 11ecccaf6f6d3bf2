import { startMariadb } from '../../test/services/mariadb.ts'
import { startPostgres } from '../../test/services/postgres.ts'
import type { Table } from '../rig/print-table.ts'
import { measureApi } from './measure.ts'

const ROWS = 5_000_000

/** What the console asks for, on a log of millions, and whether the relay feels it. */
export const apiParts: Record<string, (options: { rows?: number }) => Promise<Table[]>> = {
  sqlite: ({ rows = ROWS }) => measureApi('SQLite', rows, async () => undefined),
  async postgres({ rows = ROWS }) {
    const server = await startPostgres({ durable: true })
    try {
      return await measureApi('PostgreSQL', rows, () => freshDatabase(server.url))
    } finally {
      await server.close()
    }
  },
  async mysql({ rows = ROWS / 5 }) {
    const server = await startMariadb({ durable: true, bufferPool: '512M' })
    try {
      return await measureApi('MariaDB', rows, () => freshDatabase(server.url))
    } finally {
      await server.close()
    }
  },
}

async function freshDatabase(serverUrl: string): Promise<string> {
  const url = new URL(serverUrl)
  const admin = new Bun.SQL(url.href, { max: 1 })
  const name = `api_${crypto.randomUUID().slice(0, 8)}`
  try {
    await admin.unsafe(`create database ${name}`)
  } finally {
    await admin.close()
  }
  url.pathname = `/${name}`
  return url.href
}
