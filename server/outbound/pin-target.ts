import { AppError } from '../errors.ts'
import { isAddressAllowed, type Policy } from './address-rules.ts'
import { keep, type Resolve } from './resolve-pinned.ts'
import { checkUrl, hasUserinfo, isLiteral, type Transport } from './url-rules.ts'

/** Where to connect, every address of it judged. */
export interface Pinned {
  readonly host: string
  readonly addresses: readonly string[]
  /** `scheme://address:port` for each address, in the order to try. */
  origins: readonly string[]
  /** What the upstream must be told because the connection goes to a bare address; absent for a literal. */
  readonly hostHeader: string | undefined
  readonly tls: { readonly serverName: string } | undefined
}

export type Pin = (url: URL, policy: Policy, transport?: Transport) => Pinned | Promise<Pinned>

const maxVerdicts = 2_000
const maxAttempts = 4

/**
 * Judges a URL and says where to connect. A verdict is kept for as long as the addresses it was passed on are
 * the ones in force, so a repeated call costs two map reads.
 */
export function createPinner(resolve: Resolve, allowPrivate: () => boolean): Pin {
  const verdicts = new Map<string, Pinned>()

  return (url, policy, transport = 'http') => {
    const privateToo = allowPrivate()
    // Not part of the key below, so looked at each time.
    if (policy === 'user' && hasUserinfo(url)) throw new AppError('outbound.bad-url')
    const key = `${policy} ${privateToo} ${transport} ${url.protocol}${url.host}`
    const known = verdicts.get(key)
    if (known && known.hostHeader === undefined) return known
    const host = known ? known.host : checkUrl(url, policy, transport, privateToo)
    if (!known && isLiteral(host)) return remember(key, pinLiteral(url, host))

    const judge = (addresses: readonly string[]) => {
      const current = verdicts.get(key)
      if (current?.addresses === addresses) return current
      return remember(key, pinName(url, host, addresses, policy, privateToo))
    }
    const addresses = resolve(host)
    return addresses instanceof Promise ? addresses.then(judge) : judge(addresses)
  }

  function remember(key: string, pinned: Pinned): Pinned {
    keep(verdicts, key, pinned, maxVerdicts)
    return pinned
  }
}

function pinLiteral(url: URL, host: string): Pinned {
  const origin = `${url.protocol}//${plainOrigin(url, host)}`
  return { host, addresses: [host], origins: [origin], hostHeader: undefined, tls: undefined }
}

/** One forbidden address among many forbids the name: which of them gets used is not left to chance. */
function pinName(
  url: URL,
  host: string,
  addresses: readonly string[],
  policy: Policy,
  allowPrivate: boolean,
): Pinned {
  for (const address of addresses) {
    if (!isAddressAllowed(address, policy, allowPrivate)) throw new AppError('outbound.address')
  }
  const origins = addresses
    .slice(0, maxAttempts)
    .map(address => `${url.protocol}//${plainOrigin(url, address)}`)
  const secure = url.protocol === 'https:' || url.protocol === 'wss:'
  return {
    host,
    addresses,
    origins,
    hostHeader: plainOrigin(url, host),
    tls: secure ? { serverName: host } : undefined,
  }
}

/** The address that answered goes first next time. */
export function preferOrigin(pinned: Pinned, origin: string): void {
  pinned.origins = [origin, ...pinned.origins.filter(other => other !== origin)]
}

function plainOrigin(url: URL, host: string): string {
  const bracketed = host.includes(':') ? `[${host}]` : host
  return url.port === '' ? bracketed : `${bracketed}:${url.port}`
}
