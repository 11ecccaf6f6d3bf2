import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { compareWithBudgets, findFaults } from '../../scripts/check-console-bytes.ts'
import { weighConsole } from '../../scripts/console-weight.ts'
import type { Table } from '../rig/print-table.ts'
import { repository } from '../rig/start-gateway.ts'

/** What a browser with an empty cache downloads for each screen, against what it may. Too much fails the run. */
export async function measureBytes(): Promise<Table> {
  const folder = join(repository, 'dist', 'console')
  const title = 'Console: JS and CSS of each screen, gzip -9, empty cache'
  if (!existsSync(join(folder, '.vite', 'manifest.json')))
    return { title, columns: [''], rows: [['the console is not built']] }
  const rows = compareWithBudgets(weighConsole(folder))
  if (findFaults(rows).length > 0) process.exitCode = 1
  return {
    title,
    columns: ['', 'KiB', 'budget', ''],
    rows: rows.map(row => [
      row.name,
      row.kib.toFixed(1),
      String(row.budget ?? '?'),
      findFaults([row]).length === 0 ? 'met' : 'missed',
    ]),
  }
}
