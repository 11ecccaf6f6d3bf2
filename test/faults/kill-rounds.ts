import { until } from '../program.ts'
import type { House } from './house.ts'
import type { Load, Sight } from './load.ts'

/**
 * Kills the spender with -9 under load, at a random moment of each round, and starts it again; heals and
 * audits every few rounds. Answers what is wrong, which should be nothing.
 */
export async function killRounds(
  house: House,
  { rounds, clients, auditEvery }: { rounds: number; clients: number; auditEvery: number },
  tell: (text: string) => void = () => {},
): Promise<{ faults: string[]; done: number; broken: number; refused: number; unheard: number }> {
  let spender = await house.spend()
  const load = house.load(() => spender)
  let faults: string[] = []
  load.start(clients)
  await until(() => load.sights.some(({ charge }) => charge !== undefined))
  for (let round = 1; round <= rounds && faults.length === 0; round++) {
    await someBegin(load)
    await Bun.sleep(house.random(0, 400))
    await spender.kill()
    spender = await house.spend()
    if (round % auditEvery !== 0 && round !== rounds) continue
    await load.stop()
    faults = await house.faults(load.sights)
    tell(
      `round ${round}: ${load.sights.filter(({ firstByte }) => firstByte).length} streams, ${faults.length} faults`,
    )
    if (round !== rounds) load.start(clients)
  }
  await load.stop()
  const count = (kind: (sight: Sight) => boolean): number => load.sights.filter(kind).length
  return {
    faults,
    done: count(({ charge }) => charge !== undefined),
    broken: count(sight => sight.broken && sight.firstByte),
    refused: count(({ refused }) => refused !== undefined),
    // Nobody listened, or it died before it could say anything.
    unheard: count(sight => sight.broken && !sight.firstByte),
  }
}

/** A kill must hit answers under way; but should every wallet be empty, a round without any is a round too. */
async function someBegin(load: Load): Promise<void> {
  const before = load.begun
  for (let looks = 0; load.begun === before && looks < 200; looks++) await Bun.sleep(10)
}
