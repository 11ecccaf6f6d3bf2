import { join } from 'node:path'
import type { DatabaseServer } from '../../test/services/database-process.ts'
import { startMariadb, startPostgres } from '../../test/services/databases.ts'
import type { Table } from '../rig/print-table.ts'
import { scratchFolder, start } from '../rig/running.ts'
import { repository } from '../rig/start-gateway.ts'

const SECONDS = 4
const LOADS = [1, 16, 64, 256]
const USERS = [1, 1000]

interface Seen {
  readonly pairs: number
  /** Microseconds of this process, its SQLite thread included. */
  readonly cpuPerPair: number
  readonly p50: number
  readonly p99: number
  readonly loopP99: number
}

/** Hold and settle pairs, each acknowledgement on disk, the ledger on one core and its database on the other. */
export const ledgerParts: Record<string, () => Promise<Table>> = {
  sqlite: () =>
    measure('SQLite, synchronous=FULL', '≥ 25,000 at 256', `sqlite:${scratchFolder('ledger')}/bench.db`),
  postgres: () => measureServer('PostgreSQL, fsync on', '≥ 12,000 at 256', startPostgres({ durable: true })),
  mariadb: () => measureServer('MariaDB, flush at each commit', '', startMariadb({ durable: true })),
}

async function measureServer(
  title: string,
  target: string,
  starting: Promise<DatabaseServer>,
): Promise<Table> {
  const server = await starting
  try {
    return await measure(title, target, server.url)
  } finally {
    await server.close()
  }
}

async function measure(title: string, target: string, url: string): Promise<Table> {
  const rows: string[][] = []
  for (const load of LOADS)
    for (const users of USERS) {
      const seen = await spend(url, load, users)
      rows.push([
        `${load} at once, ${users === 1 ? 'one hot user' : `${users.toLocaleString('en')} users`}`,
        Math.round(seen.pairs).toLocaleString('en'),
        seen.cpuPerPair.toFixed(1),
        seen.p50.toFixed(2),
        seen.p99.toFixed(2),
        seen.loopP99.toFixed(2),
      ])
    }
  return {
    title: `Ledger on ${title}`,
    columns: ['', 'pairs/s', 'CPU µs/pair', 'p50 ms', 'p99 ms', 'event loop delay p99 ms'],
    rows,
    notes: [
      'a pair is a hold, a settlement, its entry, log row and hourly sum; latency is of the pair',
      ...(target ? [`target: ${target}`] : []),
    ],
  }
}

async function spend(url: string, load: number, users: number): Promise<Seen> {
  const script = join(repository, 'bench', 'ledger', 'spend.ts')
  const child = start([process.execPath, script, url, String(load), String(users), String(SECONDS)], {
    core: 0,
  })
  const code = await child.exited
  if (code !== 0) throw new Error(`The ledger ended with ${code}: ${child.output()}`)
  return JSON.parse(child.output().trim().split('\n').at(-1) ?? '') as Seen
}
