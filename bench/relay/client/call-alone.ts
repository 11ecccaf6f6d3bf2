// Calls every target one at a time, in blocks that take turns, and prints what each call took.
//   bun bench/relay/client/call-alone.ts '<AlonePlan>'

import type { Ask } from '../requests.ts'
import { quantile } from './quantile.ts'
import { encodeRequest, RawConnection } from './raw-connection.ts'

export interface AlonePlan {
  readonly ports: readonly number[]
  readonly ask: Ask
  readonly blocks: number
  readonly callsPerBlock: number
  /** Calls of each target before anything counts. */
  readonly warmUp: number
}

/** Milliseconds of one target, in the order of the ports. */
export interface AloneSeen {
  readonly firstP50: number
  readonly firstP99: number
  readonly wholeP50: number
  readonly wholeP99: number
}

const plan = JSON.parse(process.argv[2] ?? '') as AlonePlan
const request = encodeRequest(plan.ask)
const seen: { connection: RawConnection; first: number[]; whole: number[] }[] = []

for (const port of plan.ports) {
  // Not before: one that rests while the others warm up may be closed.
  const connection = await RawConnection.open(port)
  for (let call = 0; call < plan.warmUp; call++) await connection.call(request)
  seen.push({ connection, first: [], whole: [] })
}

for (let block = 0; block < plan.blocks; block++) {
  for (const { connection, first, whole } of block % 2 === 0 ? seen : seen.toReversed())
    for (let call = 0; call < plan.callsPerBlock; call++) {
      const { firstMs, wholeMs } = await connection.call(request)
      first.push(firstMs)
      whole.push(wholeMs)
    }
}

const answer: AloneSeen[] = seen.map(({ first, whole }) => ({
  firstP50: quantile(first, 0.5),
  firstP99: quantile(first, 0.99),
  wholeP50: quantile(whole, 0.5),
  wholeP99: quantile(whole, 0.99),
}))
console.log(JSON.stringify(answer))
process.exit()
