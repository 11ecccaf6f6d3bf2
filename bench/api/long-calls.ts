import type { Client } from '../../test/client.ts'
import { spread } from './generate/spread.ts'
import { headersOf } from './time-calls.ts'

const EXPORTED = 100_000
const CLEARED_WITHIN_MS = 900_000
const LOOK_MS = 200

/** The newest part of the log as a file. */
export async function timeExport(admin: Client, rows: number) {
  const now = Math.floor(Date.now() / 1000)
  const share = Math.min(EXPORTED / rows, 1)
  const from = Math.floor(now - share * spread.days * 86_400)
  const began = performance.now()
  const response = await fetch(`${admin.url}/api/log/export?start_timestamp=${from}`, {
    headers: headersOf(admin),
  })
  let lines = -1
  // The file is tens of megabytes: looked at byte by byte it would cost as much as it does to write it.
  for await (const bytes of response.body ?? [])
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++
  if (response.status !== 200) throw new Error(`The export answered ${response.status}`)
  return { name: 'export as CSV', seconds: (performance.now() - began) / 1000, rows: lines }
}

/** The older half of the log, until the last of it is gone; the call itself answers earlier. */
export async function timeClearing(admin: Client, rows: number) {
  const before = Math.floor(Date.now() / 1000) - (spread.days / 2) * 86_400
  const began = performance.now()
  const answer = await admin.send('DELETE', `/api/log/?target_timestamp=${before}`)
  const cleared = Number(answer.json?.data)
  if (!(cleared > 0)) throw new Error(`Clearing ${rows} rows answered ${answer.text}`)
  while (await isLeft(admin, before)) {
    if (performance.now() - began > CLEARED_WITHIN_MS) throw new Error('The log is not cleared')
    await Bun.sleep(LOOK_MS)
  }
  return { name: 'clearing half', seconds: (performance.now() - began) / 1000, rows: cleared }
}

/** By the row and not by the page, which would count all that are left each time. */
async function isLeft(admin: Client, before: number): Promise<boolean> {
  const { json } = await admin.get(`/api/log/?after_id=0&page_size=1&end_timestamp=${before - 1}`)
  return json.data.items.length > 0
}
