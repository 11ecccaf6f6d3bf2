import { startPostgres } from '../../test/services/postgres.ts'
import { cores } from '../rig/need-tools.ts'
import type { Table } from '../rig/print-table.ts'
import { addedCells, aloneTitle, callAlone, judgeAlone } from './measure-alone.ts'
import { judgePlain, loadPlain, plainCells, plainColumns, plainLoadTitle } from './measure-plain.ts'
import { leaveServerCore, startStage } from './start-stage.ts'

/** Plain calls again, with the books in a database server beside the upstream. */
export async function measurePostgres(): Promise<Table> {
  await leaveServerCore()
  const database = await startPostgres({ durable: true })
  try {
    const stage = await startStage({ databaseUrl: database.url })
    const seen = await loadPlain(stage, [stage.nginx, stage.floor, stage.gateway])
    const alone = await callAlone(stage)
    await stage.stop()
    return {
      title: `POST /v1/chat/completions, PostgreSQL, one core, ${plainLoadTitle}; then ${aloneTitle}`,
      columns: ['', ...plainColumns, 'alone p50 added ms', 'p99 added ms'],
      rows: seen.map(each => {
        const found = alone.find(({ name }) => name === each.name)
        return [each.name, ...plainCells(each, seen), ...(found ? addedCells(found) : [])]
      }),
      notes: [
        `PostgreSQL, fsync on, shares core ${cores.load} with the upstream and wrk: its CPU is not in these figures`,
        ...judgePlain(seen),
        ...judgeAlone(alone),
      ],
    }
  } finally {
    await database.close()
  }
}
