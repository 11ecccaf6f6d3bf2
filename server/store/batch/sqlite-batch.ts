import type { SqliteDriver } from '../sqlite/sqlite-dialect.ts'
import type { Row, RunBatch } from './batch.ts'
import { compileRead, compileWrite } from './bulk.ts'

const step = (sql: string) => ({ sql, runs: [[]] })

/** Batches on SQLite: two messages to the writer thread, one before the decision and one after. */
export function sqliteBatch(driver: SqliteDriver): RunBatch {
  return async (reads, decide) => {
    const release = await driver.takeTurn()
    const { writer } = driver
    try {
      const [, ...found] = await writer.script([
        step('begin immediate'),
        ...reads.map(read => compileRead('sqlite', read)),
      ])
      const { writes, result } = decide(found as Row[][])
      await writer.script([...writes.map(write => compileWrite('sqlite', write)), step('commit')])
      return result
    } catch (error) {
      await writer.query('rollback').catch(() => {})
      throw error
    } finally {
      release()
    }
  }
}
