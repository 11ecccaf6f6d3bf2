import { AppError } from '../../errors.ts'
import type { Settings } from '../settings-snapshot.ts'
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
  const count = counters.hit(`${name}:${address}`, windowSeconds * 1000)
  if (typeof count === 'number') return refuseAbove(most, count)
  return count.then(counted => refuseAbove(most, counted))
}

/** What is sensitive is counted where all processes see it: in Redis, or else by `elsewhere`. */
export async function countCritical(
  { counters, settings }: Source,
  address: string,
  elsewhere: (key: string, windowSeconds: number) => Promise<number>,
): Promise<void> {
  const { setting, windowSeconds } = classes.critical
  const most = settings.get(setting)
  if (most === 0) return
  const key = `critical:${address}`
  const shared = await counters.hitShared(key, windowSeconds * 1000)
  refuseAbove(most, shared ?? (await elsewhere(key, windowSeconds)))
}

const RETRY_SECONDS = 60

function refuseAbove(most: number, count: number): undefined {
  if (count > most) throw new AppError('request.too-many', { retryAfter: RETRY_SECONDS })
}
