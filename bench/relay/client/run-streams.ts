// Reads streams to their end, a number of them at a time, and prints how many there were.
//   bun bench/relay/client/run-streams.ts '<StreamPlan>'

import { type Ask, FRAMES } from '../requests.ts'
import { encodeRequest, RawConnection } from './raw-connection.ts'

export interface StreamPlan {
  readonly port: number
  readonly ask: Ask
  readonly concurrent: number
  readonly seconds: number
}

export interface StreamsSeen {
  readonly streams: number
  readonly bytes: number
  readonly seconds: number
}

const plan = JSON.parse(process.argv[2] ?? '') as StreamPlan
const request = encodeRequest(plan.ask)
const began = performance.now()
let streams = 0
let bytes = 0

async function readOn(connection: RawConnection): Promise<void> {
  while (performance.now() - began < plan.seconds * 1000) {
    const heard = await connection.call(request)
    if (heard.frames < FRAMES) throw new Error(`A stream ended after ${heard.frames} frames`)
    streams++
    bytes += heard.bytes
  }
}

const opening = Array.from({ length: plan.concurrent }, () => RawConnection.open(plan.port))
await Promise.all((await Promise.all(opening)).map(readOn))
const seen: StreamsSeen = { streams, bytes, seconds: (performance.now() - began) / 1000 }
console.log(JSON.stringify(seen))
process.exit()
