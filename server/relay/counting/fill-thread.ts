/**
 * Fills the tables on a thread that then ends. What the package holds is six times as large as they are, and
 * would stay for as long as the thread that loaded it.
 */
import { fillTables } from './fill-tables.ts'

declare const self: Worker

const tables = fillTables()
self.postMessage(
  tables,
  Object.values(tables).map(({ buffer }) => buffer),
)
