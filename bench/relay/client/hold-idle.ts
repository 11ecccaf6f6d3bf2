// Opens streams that fall silent after their first words, says so, and holds them until it is ended.
//   bun bench/relay/client/hold-idle.ts '<IdlePlan>'

import type { Ask } from '../requests.ts'
import { encodeRequest, RawConnection } from './raw-connection.ts'

export interface IdlePlan {
  readonly port: number
  readonly ask: Ask
  readonly streams: number
}

/** More at once would overrun the queue of connections to be accepted. */
const AT_ONCE = 100

const plan = JSON.parse(process.argv[2] ?? '') as IdlePlan
const request = encodeRequest(plan.ask)

async function openOne(): Promise<void> {
  const connection = await RawConnection.open(plan.port)
  await new Promise<void>((resolve, reject) => {
    connection.call(request, resolve).then(() => reject(new Error('An idle stream ended')), reject)
  })
}

for (let open = 0; open < plan.streams; open += AT_ONCE) {
  const batch = Math.min(AT_ONCE, plan.streams - open)
  await Promise.all(Array.from({ length: batch }, openOne))
}
console.log(JSON.stringify({ open: plan.streams }))
setInterval(() => {}, 60_000)
