import { lookup as systemLookup } from 'node:dns/promises'
import { AppError } from '../errors.ts'
import { lackOf, readCode } from './describe-failure.ts'

export type Lookup = (host: string) => Promise<readonly string[]>
export type Resolve = (host: string) => readonly string[] | Promise<readonly string[]>

interface Entry {
  addresses: readonly string[] | null
  answeredAt: number
  refreshAt: number
  expiresAt: number
  underway: Promise<readonly string[]> | null
}

const lifeMs = 30_000
/** A name in steady use is looked up again before it expires, so that no request waits for it. */
const refreshMs = 20_000
/** While the resolver fails, an answer up to this old is better than none; it is asked again this often. */
const staleMs = 300_000
const retryMs = 5_000
const maxEntries = 1_000
/** That no server of names has said anything, not even that there is no such name. */
const silentCodes = new Set(['EAI_AGAIN', 'ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED', 'EMFILE', 'ENFILE'])

/**
 * Remembers what names resolve to. A name has at most one look-up under way. While an answer lives the very
 * same array is returned, so whoever judged it can recognise it.
 */
export function createResolver(lookup: Lookup, clock: () => number): Resolve {
  const entries = new Map<string, Entry>()
  /** When any name was last answered. */
  let heardAt = Number.NEGATIVE_INFINITY

  function ask(host: string, entry: Entry): Promise<readonly string[]> {
    entry.underway ??= lookup(host)
      .then(addresses => {
        if (addresses.length === 0) throw new Error('the name has no address')
        const now = clock()
        heardAt = now
        entry.addresses = addresses
        entry.answeredAt = now
        entry.refreshAt = now + refreshMs
        entry.expiresAt = now + lifeMs
        return addresses
      })
      .catch((cause: unknown) => {
        const now = clock()
        if (entry.addresses && now < entry.answeredAt + staleMs) {
          entry.refreshAt = now + retryMs
          entry.expiresAt = now + 2 * retryMs
          return entry.addresses
        }
        if (entries.get(host) === entry) entries.delete(host)
        // One name without an answer, while others have theirs, is the fault of whoever keeps that name.
        if (silentCodes.has(readCode(cause)) && now >= heardAt + lifeMs) throw lackOf('names', cause)
        throw new AppError('outbound.resolve', {}, cause)
      })
      .finally(() => {
        entry.underway = null
      })
    return entry.underway
  }

  return host => {
    const entry = entries.get(host)
    if (!entry) {
      const created = { addresses: null, answeredAt: 0, refreshAt: 0, expiresAt: 0, underway: null }
      keep(entries, host, created, maxEntries)
      return ask(host, created)
    }
    const now = clock()
    if (!entry.addresses || now >= entry.expiresAt) return ask(host, entry)
    // A failure here changes nothing for this caller; after expiry it is reported to the one who asks.
    if (now >= entry.refreshAt && !entry.underway) ask(host, entry).catch(() => {})
    return entry.addresses
  }
}

/** Sets a key, dropping the oldest one when the map is full. */
export function keep<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  if (map.size >= max && !map.has(key)) {
    const oldest = map.keys().next()
    if (!oldest.done) map.delete(oldest.value)
  }
  map.set(key, value)
}

/** IPv4 first: a host without an IPv6 route is more common than one without an IPv4 route. */
export const lookupBySystem: Lookup = async host => {
  const found = await systemLookup(host, { all: true })
  found.sort((a, b) => a.family - b.family)
  return found.map(({ address }) => address)
}
