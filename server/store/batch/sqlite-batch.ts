import type { SqliteDriver } from '../sqlite/sqlite-dialect.ts'
import type { RunBatch } from './batch.ts'

/** Batches on SQLite: one message to the writer thread, which decides beside the data. */
export function sqliteBatch(driver: SqliteDriver): RunBatch {
  return async ({ module }, argument) => {
    const release = await driver.takeTurn()
    try {
      return await driver.writer.decide(module, argument())
    } finally {
      release()
    }
  }
}
