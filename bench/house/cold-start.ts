import { join } from 'node:path'
import { freePort } from '../../test/services/free-port.ts'
import { median, milliseconds, type Table } from '../rig/print-table.ts'
import { runToEnd, scratchFolder, start, untilAnswers } from '../rig/running.ts'
import { repository } from '../rig/start-gateway.ts'

const ROUNDS = 5
const TARGET_MS = 1000
const FIRST_START_LIMIT_MS = 600_000
const START_LIMIT_MS = 30_000

/** From a clone of the last commit to a server that answers, the first time and the next times. */
export async function measureColdStart(): Promise<Table> {
  const clone = join(scratchFolder('clone'), 'tollgate')
  const cloning = await timed(() =>
    runToEnd(['git', 'clone', '--quiet', repository, clone], FIRST_START_LIMIT_MS),
  )
  const first = await timeStart(['npm', 'start'], clone, '/healthz', FIRST_START_LIMIT_MS)

  const whole: number[] = []
  const preparing: number[] = []
  const serving: number[] = []
  // In turn, so that whatever else the machine does falls on all three alike.
  for (let round = 0; round < ROUNDS; round++) {
    whole.push(await timeStart(['npm', 'start'], clone, '/readyz', START_LIMIT_MS))
    const prepare = ['node', 'scripts/prepare.mjs']
    preparing.push(await timed(() => runToEnd(prepare, START_LIMIT_MS, { cwd: clone })))
    const bun = join(clone, 'node_modules', '.bin', 'bun')
    serving.push(await timeStart([bun, 'server/main.ts'], clone, '/readyz', START_LIMIT_MS))
  }
  const npm = median(whole) - median(preparing) - median(serving)
  const row = (name: string, figures: readonly number[], target = '') => [
    name,
    milliseconds(Math.min(...figures)),
    milliseconds(median(figures)),
    target,
  ]
  const verdict = `< ${milliseconds(TARGET_MS)}: ${median(whole) < TARGET_MS ? 'met' : 'missed'}`
  return {
    title: `Cold start, from a clone of HEAD; later starts ${ROUNDS} times`,
    columns: ['', 'best', 'median', 'target'],
    rows: [
      ['git clone', '', milliseconds(cloning), ''],
      ['first npm start to /healthz', '', milliseconds(first), ''],
      row('later npm start to /readyz', whole, verdict),
      row('  of it node scripts/prepare.mjs', preparing),
      row('  of it bun server/main.ts to /readyz', serving),
      ['  of it npm itself (the rest)', '', milliseconds(npm), ''],
    ],
    notes: ['the first start installs packages (npm cache as found) and builds the console'],
  }
}

/** Milliseconds from spawning the command until the path answers 200; then it is stopped. */
async function timeStart(
  command: readonly string[],
  cwd: string,
  path: string,
  limitMs: number,
): Promise<number> {
  const port = await freePort()
  const began = performance.now()
  const running = start(command, { cwd, env: { HOST: '127.0.0.1', PORT: String(port) } })
  await untilAnswers(running, `http://127.0.0.1:${port}${path}`, limitMs)
  const elapsed = performance.now() - began
  await running.stop()
  return elapsed
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}
