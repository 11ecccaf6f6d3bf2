import { AppError } from '../../errors.ts'
import type { Settings } from '../settings-snapshot.ts'
import type { Soon } from './counters.ts'
import { networkOf } from './network-of.ts'
import type { SharedCounters } from './open-counters.ts'

/** How often an address may call; how many times in a window is a setting, and 0 there means no limit. */
const classes = {
  web: { setting: 'GlobalWebRateLimit', windowSeconds: 180 },
  api: { setting: 'GlobalApiRateLimit', windowSeconds: 180 },
  search: { setting: 'SearchRateLimit', windowSeconds: 60 },
  critical: { setting: 'CriticalRateLimit', windowSeconds: 1200 },
} as const

export type CountedClass = keyof typeof classes

interface Source {
  readonly counters: SharedCounters
  readonly settings: Settings
}

/** Waits only where there is something to wait for. */
export function countCall(
  { counters, settings }: Source,
  name: Exclude<CountedClass, 'critical'>,
  address: string,
): Promise<void> | undefined {
  const { setting, windowSeconds } = classes[name]
  const most = settings.get(setting)
  if (most === 0) return undefined
  const key = `${name}:${networkOf(address)}`
  const check = (count: number): Promise<void> | undefined =>
    count > most ? refuse(counters.hitEnds(key)) : undefined
  const count = counters.hit(key, windowSeconds * 1000)
  return typeof count === 'number' ? check(count) : count.then(check)
}

/** A place to count in when there is no Redis. */
interface Elsewhere {
  count(key: string, windowSeconds: number): Promise<number>
  secondsLeft(key: string, windowSeconds: number): Promise<number>
}

/** What is sensitive is counted where all processes see it: in Redis, or else `elsewhere`. */
export async function countCritical(
  { counters, settings }: Source,
  address: string,
  elsewhere: Elsewhere,
): Promise<void> {
  const { setting, windowSeconds } = classes.critical
  const most = settings.get(setting)
  if (most === 0) return
  const key = `critical:${networkOf(address)}`
  const shared = await counters.hitShared(key, windowSeconds * 1000)
  if (shared !== undefined) {
    if (shared > most) await refuse(counters.hitEnds(key))
  } else if ((await elsewhere.count(key, windowSeconds)) > most)
    await refuse((await elsewhere.secondsLeft(key, windowSeconds)) * 1000)
}

/** Says when the window is over; it is asked for only here. */
async function refuse(leftMs: Soon<number>): Promise<void> {
  throw new AppError('request.too-many', { retryAfter: Math.max(1, Math.ceil((await leftMs) / 1000)) })
}
