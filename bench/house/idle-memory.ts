import { freePort } from '../../test/services/free-port.ts'
import type { Table } from '../rig/print-table.ts'
import { commandLine, type ProcessMemory, processTree, readMemory } from '../rig/process-cost.ts'
import { scratchFolder, start, untilAnswers } from '../rig/running.ts'
import { repository } from '../rig/start-gateway.ts'

const TARGET_MB = 120
const SETTLE_MS = 5000

/** What a server that nobody uses holds: SQLite, one worker, as `npm start` starts it. */
export async function measureIdleMemory(): Promise<Table> {
  const port = await freePort()
  const npm = start(['npm', 'start'], {
    cwd: repository,
    env: { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: scratchFolder('data') },
  })
  await untilAnswers(npm, `http://127.0.0.1:${port}/readyz`, 120_000)
  await Bun.sleep(SETTLE_MS)
  const processes = processTree(npm.pid).map(pid => ({ ...describe(pid), ...readMemory(pid) }))
  await npm.stop()

  const ours = processes.filter(({ isOurs }) => isOurs)
  const foreign = processes.filter(({ isOurs }) => !isOurs)
  const total = { rss: sum(ours, 'rss'), pss: sum(ours, 'pss') }
  const row = (name: string, { rss, pss }: ProcessMemory, target = '') => [
    name,
    megabytes(rss),
    megabytes(pss),
    target,
  ]
  return {
    title: `Idle memory, SQLite, one worker, ${SETTLE_MS / 1000} s after ready`,
    columns: ['', 'RSS MB', 'PSS MB', 'target'],
    rows: [
      ...ours.map(process => row(`bun ${process.name}`, process)),
      row('all of ours', total, `≤ ${TARGET_MB} MB: ${total.rss <= TARGET_MB * 1e6 ? 'met' : 'missed'}`),
      ...foreign.map(process => row(`besides: ${process.name}`, process)),
    ],
    notes: [
      'pages shared by processes count for each of them in RSS, and in PSS for each by its share',
      'the sum of RSS is judged: PSS is also less when other programs here run on the same Bun',
    ],
  }
}

function describe(pid: number): { name: string; isOurs: boolean } {
  const [program = '', script = '', ...rest] = commandLine(pid)
  const isOurs = script.endsWith('server/main.ts')
  if (isOurs) return { name: ['server/main.ts', ...rest].join(' '), isOurs }
  return { name: [program.slice(program.lastIndexOf('/') + 1), script].join(' ').trim(), isOurs }
}

function sum(processes: readonly ProcessMemory[], kind: keyof ProcessMemory): number {
  return processes.reduce((total, process) => total + process[kind], 0)
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
