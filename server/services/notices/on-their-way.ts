import { log } from '../../log.ts'
import { within } from '../../store/within.ts'

/** Longer than a mail server takes, as a rule. */
const LEAVE_MS = 10_000

const underWay = new Set<Promise<unknown>>()

/** What is told once, and nobody waits for but a program that ends. */
export function onItsWay(sending: Promise<void>): Promise<void> {
  const settled: Promise<void> = sending
    .catch(() => {})
    .then(() => {
      underWay.delete(settled)
    })
  underWay.add(settled)
  return sending
}

/** For a program that ends: what it tells of is done, and nobody tells of it again. */
export async function allArrived(): Promise<void> {
  await within(LEAVE_MS, Promise.all(underWay)).catch(error =>
    log.warn('news that is on its way is not waited for any longer', { error }),
  )
}
