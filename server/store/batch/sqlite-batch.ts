import type { SqliteDriver } from '../sqlite/sqlite-dialect.ts'
import type { RunBatch } from './batch.ts'

/** Batches on SQLite: one message to a writer thread that can decide by itself, beside the data. */
export function sqliteBatch(driver: SqliteDriver): RunBatch {
  return async ({ thread }, argument) => {
    const release = await driver.takeTurn()
    try {
      const writer = await driver.writerOn(thread)
      return await writer.decide(argument())
    } finally {
      release()
    }
  }
}
