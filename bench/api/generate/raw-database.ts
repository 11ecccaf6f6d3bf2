import { Database } from 'bun:sqlite'
import { closeSync, fsyncSync, openSync } from 'node:fs'
import type { Engine } from '../../../server/store/engine.ts'

/** Statements straight to the database, without the limits that the program sets itself. */
export interface RawDatabase {
  readonly engine: Engine
  run(text: string): Promise<void>
  /** The first column of the rows. */
  list(text: string): Promise<string[]>
  close(): Promise<void>
}

/** With it MySQL reads the same text: names in double quotes, `||` between texts. */
const AS_OTHERS_SPEAK = `set session sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT'`

export function openRaw(url: string): RawDatabase {
  if (url.startsWith('sqlite:')) return openSqlite(url.slice('sqlite:'.length))
  return url.startsWith('mysql:') ? openServer('mysql', url) : openServer('postgres', url)
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

function openServer(engine: 'postgres' | 'mysql', url: string): RawDatabase {
  const client = new Bun.SQL(url, { max: 1, connectionTimeout: 5 })
  const ready = engine === 'mysql' ? client.unsafe(AS_OTHERS_SPEAK) : Promise.resolve()
  return {
    engine,
    async run(text) {
      await ready
      await client.unsafe(text)
    },
    async list(text) {
      await ready
      const rows: Record<string, unknown>[] = await client.unsafe(text)
      return rows.map(row => String(Object.values(row)[0]))
    },
    close: () => client.close(),
  }
}
