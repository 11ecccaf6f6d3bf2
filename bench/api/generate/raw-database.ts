import { Database } from 'bun:sqlite'
import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Statements straight to the database, without the limits that the program sets itself. */
export interface RawDatabase {
  readonly engine: 'sqlite' | 'postgres'
  run(text: string): Promise<void>
  /** The first column of the rows. */
  list(text: string): Promise<string[]>
  close(): Promise<void>
}

export function openRaw(url: string): RawDatabase {
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url)
}

function openSqlite(path: string): RawDatabase {
  const database = new Database(path)
  for (const pragma of ['synchronous = off', 'cache_size = -400000', 'temp_store = memory'])
    database.exec(`pragma ${pragma}`)
  return {
    engine: 'sqlite',
    async run(text) {
      database.exec(text)
    },
    async list(text) {
      return database.query(text).values().map(String)
    },
    async close() {
      database.exec('pragma wal_checkpoint(truncate)')
      database.close()
      // Or the first who waits for the disk, while something is measured, would wait for all of this.
      const file = openSync(path, 'r+')
      fsyncSync(file)
      closeSync(file)
    },
  }
}

function openPostgres(url: string): RawDatabase {
  const client = new Bun.SQL(url, { max: 1, connectionTimeout: 5 })
  return {
    engine: 'postgres',
    async run(text) {
      await client.unsafe(text)
    },
    async list(text) {
      const rows: Record<string, unknown>[] = await client.unsafe(text)
      return rows.map(row => String(Object.values(row)[0]))
    },
    close: () => client.close(),
  }
}
