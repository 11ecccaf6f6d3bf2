import { mayPass } from '../../../contract/override/headers.ts'
import { findKey } from '../callers/find-key.ts'
import type { Channel } from '../routing/channel.ts'
import { holdsKey, ownName, REPEATED } from '../upstream/outgoing-headers.ts'
import { namesSecret } from '../upstream/scrub.ts'
import type { PassBody } from './pass-body.ts'

/** What is said to gateways, this one and others. */
const toGateways = /^x-(tollgate|litellm|portkey)-/
/** Of what is usually between client and relay, but here means something to the API behind it. */
const conditions = /^(range|if-(match|none-match|modified-since|unmodified-since|range))$/

/** What of a client's headers an API may see: nothing that the client proves itself with here, and no cookie. */
export function clientHeaders(request: Request, { type, coding, length }: PassBody): Record<string, string> {
  const given = findKey(request)
  const headers: Record<string, string> = {}
  for (const [name, value] of request.headers) {
    const isShown = (mayPass(name) && !toGateways.test(name)) || conditions.test(name)
    if (isShown && !(given && holdsKey(value, given))) headers[name] = value
  }
  if (length !== 0 && type !== '') headers['content-type'] = type
  if (length !== 0 && coding !== undefined) headers['content-encoding'] = coding
  const repeated = ownName(request)
  if (repeated !== undefined) headers[REPEATED] = repeated
  return headers
}

/** What concerns one connection or our own house, the browser at its other end, or the operator's account. */
const heldBack = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'te', 'trailer', 'upgrade'],
  ...[
    'content-length',
    'cache-control',
    'expires',
    'pragma',
    'location',
    'date',
    'server',
    'via',
    'x-powered-by',
  ],
  ...['refresh', 'alt-svc', 'nel', 'report-to', 'reporting-endpoints', 'strict-transport-security'],
  ...['service-worker-allowed', 'clear-site-data', 'sourcemap', 'x-frame-options', 'origin-agent-cluster'],
  ...['content-security-policy', 'content-security-policy-report-only', 'permissions-policy'],
  ...['www-authenticate', 'proxy-authenticate', 'authentication-info', 'accept-ch', 'critical-ch'],
])
const heldBackKinds =
  /cookie|^access-control-|^cross-origin-|^x-(tollgate|oneapi)-|^public-key-pins|rate-?limit|organization|account/
/** What proxies and caches before us would obey: to answer with a file of theirs instead, or to keep what is one caller's. */
const toProxies = /^x-(accel|litespeed|reproxy|proxy)-|send-?file|cache-control|^(surrogate|edge|akamai)-/

/** What comes back of an API's headers. A page from there must not run as one of ours: browsers show it in a sandbox. */
export function answerHeaders(headers: Headers, channel: Channel, hosts: readonly string[]): Headers {
  const shown = new Headers()
  for (const [name, value] of headers) {
    if (heldBack.has(name) || heldBackKinds.test(name) || toProxies.test(name)) continue
    if (namesSecret(value, channel, hosts)) continue
    shown.append(name, value)
  }
  shown.set('content-security-policy', 'sandbox')
  // Paid for by one caller: nobody on the way keeps it for another.
  shown.set('cache-control', 'private, no-cache')
  if (isEvents(headers)) shown.set('x-accel-buffering', 'no')
  return shown
}

export function isEvents(headers: Headers): boolean {
  return /^\s*text\/event-stream\b/i.test(headers.get('content-type') ?? '')
}
