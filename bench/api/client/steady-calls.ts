// Relay calls at a steady pace until told to end, and then what they took.
//   bun bench/api/client/steady-calls.ts '<SteadyPlan>'

import { quantile } from '../../relay/client/quantile.ts'
import { encodeRequest, RawConnection } from '../../relay/client/raw-connection.ts'
import type { Ask } from '../../relay/requests.ts'

export interface SteadyPlan {
  readonly port: number
  readonly ask: Ask
  readonly perSecond: number
}

export interface SteadySeen {
  readonly calls: number
  readonly p50: number
  readonly p99: number
}

const { port, ask, perSecond } = JSON.parse(process.argv[2] ?? '') as SteadyPlan
const request = encodeRequest(ask)
const idle: RawConnection[] = []
const times: number[] = []
const startedAt = performance.now()
let due = 0

/** None waits for another to be answered: a slow moment is felt by all that come in it. */
async function callOnce(): Promise<void> {
  const began = performance.now()
  const connection = idle.shift() ?? (await RawConnection.open(port))
  await connection.call(request)
  times.push(performance.now() - began)
  idle.push(connection)
}

function fail(error: unknown): void {
  console.error(error)
  process.exit(1)
}

process.on('SIGTERM', () => {
  const seen: SteadySeen = { calls: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
  console.log(JSON.stringify(seen))
  process.exit()
})
setInterval(() => {
  const wanted = ((performance.now() - startedAt) * perSecond) / 1000
  for (; due < wanted; due++) callOnce().catch(fail)
}, 1)
console.log('calling')
