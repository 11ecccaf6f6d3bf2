import { until } from '../program.ts'
import type { Victim } from './gateway.ts'
import type { House } from './house.ts'
import type { Load, Sight } from './load.ts'

/** A supervisor whose worker dies soon after its start takes its time; so no worker is killed twice in a row. */
const VICTIMS: readonly Victim[] = ['worker', 'both', 'worker', 'supervisor']

export interface KillReport {
  readonly faults: string[]
  readonly done: number
  readonly broken: number
  readonly refused: number
  readonly unheard: number
  /** Requests that had a checkpoint when their process was killed. */
  readonly checkpoints: number
  /** The longest from a kill until calls were taken again, in milliseconds. */
  readonly slowestStart: number
}

/**
 * Kills the program with -9 under live streams, at a random moment of each round, and has it back; heals and
 * audits every few rounds. Answers what is wrong, which should be nothing.
 */
export async function killRounds(
  house: House,
  { rounds, clients, auditEvery }: { rounds: number; clients: number; auditEvery: number },
  tell: (text: string) => void = () => {},
): Promise<KillReport> {
  const gateway = await house.start()
  const load = house.load(gateway)
  let faults: string[] = []
  let checkpoints = 0
  let slowestStart = 0
  load.start(clients)
  await until(() => load.sights.some(({ done }) => done))
  for (let round = 1; round <= rounds && faults.length === 0; round++) {
    await someBegin(load)
    // Some kills wait for the moment when there is more to lose.
    if (round % 10 === 5) await until(async () => (await house.noteCheckpoints()) > 2)
    await Bun.sleep(house.random(0, 400))
    checkpoints += await house.noteCheckpoints()
    const killed = performance.now()
    await gateway.killAndRestart(VICTIMS[round % VICTIMS.length] ?? 'both')
    slowestStart = Math.max(slowestStart, performance.now() - killed)
    if (round % auditEvery !== 0 && round !== rounds) continue
    await load.stop()
    faults = await house.faults(load.sights)
    const begun = load.sights.filter(({ tokens }) => tokens > 0).length
    tell(`round ${round}: ${begun} answers begun, ${checkpoints} checkpoints, ${faults.length} faults`)
    if (round !== rounds) load.start(clients)
  }
  await load.stop()
  const count = (kind: (sight: Sight) => boolean): number => load.sights.filter(kind).length
  return {
    faults,
    done: count(({ done }) => done),
    broken: count(({ broken, tokens }) => broken && tokens > 0),
    refused: count(({ refused }) => refused !== undefined),
    // Nobody listened, or it died before it could say anything.
    unheard: count(({ requestId }) => requestId === ''),
    checkpoints,
    slowestStart: Math.round(slowestStart),
  }
}

/** A kill must hit answers under way; but should every wallet be empty, a round without any is a round too. */
async function someBegin(load: Load): Promise<void> {
  const before = load.begun
  for (let looks = 0; load.begun === before && looks < 200; looks++) await Bun.sleep(10)
}
