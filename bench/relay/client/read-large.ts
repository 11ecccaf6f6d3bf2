// Reads one long stream, resting now and then as a slow reader does, and prints what it heard.
//   bun bench/relay/client/read-large.ts '<LargePlan>'

import type { Ask } from '../requests.ts'
import { encodeRequest, RawConnection } from './raw-connection.ts'

export interface LargePlan {
  readonly port: number
  readonly ask: Ask
  /** Of every 20 ms, how many nothing is read. */
  readonly restMs: number
}

const plan = JSON.parse(process.argv[2] ?? '') as LargePlan
const connection = await RawConnection.open(plan.port)

function rest(): void {
  connection.pause()
  setTimeout(() => connection.resume(), plan.restMs)
}

const heard = connection.call(encodeRequest(plan.ask), () => {
  if (plan.restMs > 0) setInterval(rest, 20)
})
console.log(JSON.stringify(await heard))
process.exit()
