import { isPassMethod, type PassMethod, staysBelow } from '../../../contract/pass-through.ts'
import { AppError } from '../../errors.ts'
import { findKey } from '../callers/find-key.ts'
import type { Incoming } from '../request/incoming.ts'
import { type PassRoute, wantsSocket } from '../request/match-route.ts'
import { holdsKey } from '../upstream/outgoing-headers.ts'
import type { PassBody } from './pass-body.ts'
import { type Pair, pairsOf, readPair } from './query.ts'

/** A call of some API, as its client sent it: the same for every attempt. */
export interface PassCall {
  /** The service. */
  readonly model: string
  readonly method: PassMethod
  /** Below the base URL; '' or with a slash before it. */
  readonly path: string
  /** Without the key that the client proves itself with. */
  readonly query: readonly Pair[]
  readonly body: PassBody
}

/** What a browser would run or be ruled by; pictures, sound and what a page fetches are none of it. */
const partsOfPages = /script|style|worker|worklet|xslt|object|embed|manifest/i

/** All but its body. Refuses what could lead to another place than the operator has named. */
export function readPassHead({ request }: Incoming, { model, path }: PassRoute): Omit<PassCall, 'body'> {
  const { method } = request
  if (wantsSocket(request.headers)) throw new AppError('pass.socket')
  // From our own address, where the console trusts scripts: what an API says must not become one.
  if (partsOfPages.test(request.headers.get('sec-fetch-dest') ?? '')) throw new AppError('pass.part-of-page')
  if (!isPassMethod(method)) throw new AppError('pass.method', { method: method.slice(0, 20) })
  if (!staysBelow(path)) throw new AppError('pass.path')
  return { model, method, path, query: readQuery(request) }
}

function readQuery(request: Request): readonly Pair[] {
  const at = request.url.indexOf('?')
  if (at < 0) return []
  const given = findKey(request)
  return pairsOf(request.url.slice(at + 1)).filter(pair => {
    if (pair === '' || !given) return pair !== ''
    const { name, value } = readPair(pair)
    return !holdsKey(value, given) && !holdsKey(name, given)
  })
}

/** Whether doing it twice does no more than doing it once. */
export function isRepeatable(method: PassMethod): boolean {
  return method !== 'POST' && method !== 'PATCH'
}

/** Whether something is done there, of which a caller may have all it wants without an answer. */
export function mayAct(method: PassMethod): boolean {
  return method !== 'GET' && method !== 'HEAD'
}
