import type { Table } from '../rig/print-table.ts'
import { measureBytes } from './bytes.ts'
import { measureColdPages } from './cold-pages.ts'
import { measureInteractions } from './interactions.ts'
import { measureLongLog } from './long-log.ts'
import { measureStreamedUpdates } from './streamed-updates.ts'

/** What the console costs whoever looks at it, in a real browser before the real program. */
export const consoleParts: Record<string, () => Promise<Table>> = {
  bytes: measureBytes,
  pages: measureColdPages,
  log: measureLongLog,
  interactions: measureInteractions,
  playground: measureStreamedUpdates,
}
