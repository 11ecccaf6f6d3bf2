import { configureLog } from '../../server/log.ts'
import { type Mistakes, type Outcome, runSeed } from './run-seed.ts'

export interface Report {
  readonly failures: readonly Outcome[]
  readonly summary: string
}

/** One seed after the other; stops early once `enough` have failed. */
export async function runSeeds(
  from: number,
  count: number,
  options: Mistakes & { trace?: (line: string) => void; enough?: number } = {},
): Promise<Report> {
  // The ledger's own warnings are part of what is provoked here.
  configureLog({ level: 'error', write: () => {} })
  const failures: Outcome[] = []
  const start = performance.now()
  let [ran, requests, events] = [0, 0, 0]
  try {
    for (; ran < count && failures.length < (options.enough ?? 20); ran++) {
      const outcome = await runSeed(from + ran, options)
      requests += outcome.requests
      events += outcome.events
      if (outcome.failure !== undefined) failures.push(outcome)
    }
  } finally {
    configureLog({ level: 'info', write: line => process.stdout.write(line) })
  }
  const seconds = (performance.now() - start) / 1000
  const lines = failures.map(
    ({ seed, failure }) => `seed ${seed}: ${failure}\n  replay it: npm run sim -- --seed ${seed} --trace`,
  )
  lines.push(
    `${ran} seeds, ${requests} requests, ${events} events in ${seconds.toFixed(1)} s (${Math.round(ran / seconds)} seeds/s): ${failures.length} failed`,
  )
  return { failures, summary: lines.join('\n') }
}
