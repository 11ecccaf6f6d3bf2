import type { FailureKind } from './failure.ts'
import type { WireRequest } from './http.ts'
import { Refusal, type Route, type SeenRequest, type Vendor } from './upstream.ts'

const KEY_HEADERS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key']
/** Who asked is nobody's business upstream. */
const PRIVATE_HEADERS = ['cookie', 'x-forwarded-for', 'x-real-ip', 'forwarded', 'cf-connecting-ip', 'via']

function refuse(vendor: Vendor, kind: FailureKind, message: string): never {
  throw new Refusal(message, vendor.fail(kind, message))
}

/** Nothing of the client's own may have come along. */
export function forbidStrings(vendor: Vendor, forbidden: readonly string[], wire: WireRequest): void {
  if (forbidden.length === 0) return
  const everything = [wire.target, ...Object.values(wire.headers), Buffer.from(wire.body).toString()]
  for (const one of forbidden) {
    if (everything.some(text => text.includes(one)))
      refuse(vendor, 'bad-request', `a forbidden string arrived: ${one}`)
  }
}

/** Method, path, query, headers and key. No route means the vendor's WebSocket. */
export function checkWire(
  vendor: Vendor,
  seen: SeenRequest,
  host: string,
): { route: Route | undefined; params: Record<string, string> } {
  if (seen.path.includes('//')) refuse(vendor, 'not-found', `double slash in ${seen.path}`)
  if (seen.headers.host !== host) refuse(vendor, 'bad-request', `Host is ${seen.headers.host}`)
  for (const name of PRIVATE_HEADERS)
    if (name in seen.headers) refuse(vendor, 'bad-request', `header ${name} arrived`)
  for (const name of KEY_HEADERS)
    if (name in seen.headers && !vendor.keyHeaders.includes(name))
      refuse(vendor, 'bad-request', `header ${name} is not for ${vendor.name}`)

  const socket = vendor.socket?.path.exec(seen.path)
  if (socket && seen.headers.upgrade?.toLowerCase() === 'websocket') {
    vendor.authorize(seen, vendor.key)
    return { route: undefined, params: { ...socket.groups } }
  }
  return checkRoute(vendor, seen)
}

function checkRoute(vendor: Vendor, seen: SeenRequest): { route: Route; params: Record<string, string> } {
  const here = vendor.routes.filter(route => route.path.test(seen.path))
  const able = here.filter(one => one.method === seen.method)
  const route = able.find(one => (one.takes === 'form') === (seen.form !== undefined)) ?? able[0]
  if (route === undefined) refuse(vendor, 'not-found', `Invalid URL (${seen.method} ${seen.path})`)
  vendor.authorize(seen, vendor.key)
  for (const name of Object.keys(seen.query))
    if (!route.query?.includes(name)) refuse(vendor, 'bad-request', `Unknown query parameter: '${name}'`)
  checkBody(vendor, route, seen)
  return { route, params: { ...route.path.exec(seen.path)?.groups } }
}

function checkBody(vendor: Vendor, route: Route, seen: SeenRequest): void {
  const type = seen.headers['content-type'] ?? ''
  if (route.takes === 'json') {
    if (type.split(';')[0]?.trim() !== 'application/json')
      refuse(vendor, 'bad-request', `Unsupported content type: '${type}'`)
    if (typeof seen.json !== 'object' || seen.json === null || Array.isArray(seen.json))
      refuse(vendor, 'bad-request', 'We could not parse the JSON body of your request.')
  }
  if (route.takes === 'form' && seen.form === undefined)
    refuse(vendor, 'bad-request', `Could not parse multipart form of type '${type}'`)
  if (route.takes === 'nothing' && seen.bytes.length > 0) refuse(vendor, 'bad-request', 'Unexpected body')
}
