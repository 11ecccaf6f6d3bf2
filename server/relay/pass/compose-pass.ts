import { type PassRules, usualPassRules } from '../../../contract/pass-through.ts'
import { dialects } from '../../dialects/index.ts'
import { AppError } from '../../errors.ts'
import type { Channel } from '../routing/channel.ts'
import type { Outgoing } from '../upstream/outgoing.ts'
import { outgoingHeaders } from '../upstream/outgoing-headers.ts'
import type { Attempt } from '../upstream/try-channels.ts'
import { UpstreamFailure } from '../upstream/upstream-failure.ts'
import type { PassCall } from './pass-call.ts'
import { clientHeaders } from './pass-headers.ts'
import { type Pair, pairsOf, readPair, writePair } from './query.ts'

export function rulesOf({ setting }: Channel): PassRules {
  return setting.pass ?? usualPassRules
}

/** A request as one channel's upstream gets it; its body is added when it is sent. */
export interface ComposedPass extends Outgoing {
  readonly address: URL
}

export function composePass(request: Request, call: PassCall, attempt: Attempt): ComposedPass {
  const { channel, key } = attempt
  const rules = rulesOf(channel)
  const address = addressOf(channel, rules, call, key)
  const headers = clientHeaders(request, call.body)
  if (rules.keyIn === 'header') headers[rules.keyName.toLowerCase()] = `${rules.keyPrefix}${key}`
  const { length, held } = call.body
  return {
    url: address.href,
    address,
    // Nobody says what it is but the client itself, and that stands there already.
    headers: outgoingHeaders(headers, attempt, request, false, ''),
    body: undefined,
    bodyLength: held === undefined && length !== 0 ? length : undefined,
    to: toOf(channel, key, call.model),
    signer: undefined,
    readProblem: dialects['openai-chat'].readProblem,
    takesAny: true,
  }
}

function toOf({ baseUrl = '', other, organization }: Channel, key: string, model: string): Outgoing['to'] {
  return { baseUrl, key, model, stream: false, other, organization }
}

/** The place below the base URL, with the base's own query before the caller's, and the key at last. */
function addressOf(
  { baseUrl = '' }: Channel,
  { keyIn, keyName }: PassRules,
  call: Pick<PassCall, 'path' | 'query'>,
  key: string,
): URL {
  const base = URL.parse(baseUrl)
  if (!base) throw new UpstreamFailure({ without: 'connect' }, new AppError('channel.base-url'))
  const below = base.pathname === '/' ? '' : base.pathname.replace(/\/+$/, '')
  const address = URL.parse(`${base.origin}${below}${call.path || base.pathname.slice(below.length)}`)
  // By now nothing can lead elsewhere; were it otherwise, the key would go there.
  if (address?.origin !== base.origin || !isBelow(address.pathname, below)) throw new AppError('pass.path')
  address.username = base.username
  address.password = base.password
  address.search = [
    ...pairsOf(base.search.slice(1)),
    ...withoutName(call.query, keyIn === 'query' ? keyName : undefined),
    ...(keyIn === 'query' ? [writePair(keyName, key)] : []),
  ].join('&')
  return address
}

function isBelow(path: string, base: string): boolean {
  return base === '' || path === base || path.startsWith(`${base}/`)
}

/** What a caller says in the key's place. */
function withoutName(pairs: readonly Pair[], taken: string | undefined): readonly Pair[] {
  if (taken === undefined) return pairs
  const name = taken.toLowerCase()
  return pairs.filter(pair => readPair(pair).name.toLowerCase() !== name)
}

/**
 * Where a redirect leads, for a client that knows the service by its name here. A place at the upstream that is not
 * below the base URL is nobody's business, nor is another door of its host; one at another host is the client's. What
 * the base URL says in its query is said again when the client comes back.
 */
export function locationOf(location: string, { address }: ComposedPass, channel: Channel, model: string) {
  const target = URL.parse(location, address)
  const base = URL.parse(channel.baseUrl ?? '')
  if (!target || !base || !/^https?:$/.test(target.protocol)) return undefined
  if (target.hostname !== base.hostname) return target.href
  const below = base.pathname.replace(/\/+$/, '')
  if (target.origin !== base.origin || !isBelow(target.pathname, below)) return undefined
  const { keyIn, keyName } = rulesOf(channel)
  const own = pairsOf(base.search.slice(1))
  const given = pairsOf(target.search.slice(1)).filter(pair => !own.includes(pair))
  const query = withoutName(given, keyIn === 'query' ? keyName : undefined)
  const path = target.pathname.slice(below.length)
  return `/pass/${encodeURIComponent(model)}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
}
