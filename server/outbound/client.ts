import { AppError } from '../errors.ts'
import type { Policy } from './address-rules.ts'
import { deliver } from './deliver-response.ts'
import { asOutboundError, wasHungUp } from './describe-failure.ts'
import { startDeadline, untilAborted } from './keep-time.ts'
import { createPinner, type Pinned, preferOrigin } from './pin-target.ts'
import { type Body, followRedirect, type Hop, isRedirect, maxRedirects } from './redirect-rules.ts'
import { cleanHeaders, type HeaderInput } from './request-headers.ts'
import { createResolver, keep, type Lookup, lookupBySystem } from './resolve-pinned.ts'
import { checkUrl, hasUserinfo, parseUrl } from './url-rules.ts'

export { readBytes, readJson, readText } from './read-body.ts'

export interface OutboundParts {
  lookup?: Lookup
  /** Whether operator-configured upstreams may be at private addresses; read at every call. */
  allowPrivate?: () => boolean
  clock?: () => number
}

export interface OutboundOptions {
  /** Who chose the address: the operator (upstreams, sign-in providers) or a user (media, notifications). */
  policy: Policy
  method?: string
  headers?: HeaderInput
  body?: Body
  /** How long a streamed body is, where that is known: it is sent as that, and not piece by piece. */
  bodyLength?: number | undefined
  signal?: AbortSignal
  /**
   * Whether it may be begun twice, as what only looks may unless it is said: it is sent again if the connection that was
   * kept for it is closed at this moment.
   */
  mayRepeat?: boolean
  /** Over a connection of its own, which nobody can be about to close. */
  isFresh?: boolean
  /** An http or https proxy, which then resolves the name. */
  proxy?: string
  /** Until the headers of the answer, redirects included; `Infinity` leaves the clock to `signal`. */
  timeoutMs?: number
  /** Until the last byte of the answer. */
  wholeMs?: number
  /** The longest silence inside the body. */
  idleMs?: number
  /** The most decoded bytes of body. */
  maxBytes?: number
  /** How many redirects to follow; with none, a 3xx is an answer like any other. */
  redirect?: number
  /** Headers besides the usual ones that are dropped when a redirect leaves the origin. */
  secretHeaders?: readonly string[]
  tls?: { ca?: string | string[] }
}

/** What a WebSocket needs to connect to the address that was judged. */
export interface SocketTarget {
  url: string
  headers: Record<string, string>
  tls: { serverName: string } | undefined
}

export interface Outbound {
  fetch(url: string | URL, options: OutboundOptions): Promise<Response>
  /** Whether a URL could be fetched, without connecting to it. */
  check(url: string | URL, policy: Policy): Promise<void>
  pinSocket(url: string | URL, policy: Policy): Promise<SocketTarget>
}

/** A connection that its other end has closed by now breaks as soon as something is sent over it. */
const STALE_MS = 2000
const headersMs: Record<Policy, number> = { operator: 600_000, user: 30_000 }
/** A user's address gets these whatever the caller forgot. */
const userLimits = { maxBytes: 64 * 1024 * 1024, idleMs: 30_000, wholeMs: 300_000 }

type Init = Omit<BunFetchRequestInit, 'headers' | 'tls'> & {
  headers: Record<string, string>
  tls: (NonNullable<OutboundOptions['tls']> & { serverName?: string }) | undefined
  timeout: false
}

export function createOutbound(parts: OutboundParts = {}): Outbound {
  const allowPrivate = parts.allowPrivate ?? (() => true)
  const resolve = createResolver(parts.lookup ?? lookupBySystem, parts.clock ?? (() => performance.now()))
  const pin = createPinner(resolve, allowPrivate)

  async function send(url: string | URL, given: OutboundOptions): Promise<Response> {
    const options = given.policy === 'user' ? withUserLimits(given) : given
    options.signal?.throwIfAborted()
    let hop = firstHop(url, options)
    const hops = Math.min(options.redirect ?? 0, maxRedirects)
    const deadline = startDeadline(
      options.signal,
      options.timeoutMs ?? headersMs[options.policy],
      options.wholeMs,
    )
    try {
      for (let left = hops; ; left--) {
        const sentAt = performance.now()
        let response: Response
        try {
          response = await sendHop(hop, options, deadline.signal, options.isFresh)
        } catch (error) {
          const { mayRepeat = onlyLooks(hop) } = options
          if (!mayRepeat || !isStale(error, sentAt) || deadline.signal?.aborted) throw error
          response = await sendHop(hop, options, deadline.signal, true)
        }
        const location = hops > 0 && isRedirect(response.status) ? response.headers.get('location') : null
        if (location === null) return deliver(response, hop.method, options, deadline)
        await response.body?.cancel()
        if (left === 0) throw new AppError('outbound.redirects')
        hop = followRedirect(hop, response.status, location, options.secretHeaders ?? [])
      }
    } catch (error) {
      deadline.end()
      throw deadline.signal?.aborted ? deadline.signal.reason : asOutboundError(error)
    }
  }

  function sendHop(
    hop: Hop,
    options: OutboundOptions,
    signal: AbortSignal | undefined,
    isFresh = false,
  ): Promise<Response> {
    const init: Init = {
      method: hop.method,
      headers: hop.headers,
      body: hop.body as BodyInit | undefined,
      signal,
      redirect: 'manual',
      decompress: false,
      tls: options.tls,
      // Never the proxy of the environment: it would be asked for addresses meant for this machine.
      proxy: false,
      // The runtime's own five minutes; the clocks here are ours.
      timeout: false,
    }
    if (isFresh) init.keepalive = false
    if (options.proxy !== undefined) return sendByProxy(options.proxy, hop.url, options.policy, init)
    const found = pin(hop.url, options.policy)
    if (!(found instanceof Promise)) return sendPinned(found, hop.url, init)
    return untilAborted(found, signal).then(pinned => sendPinned(pinned, hop.url, init))
  }

  async function sendByProxy(proxy: string, url: URL, policy: Policy, init: Init): Promise<Response> {
    const route = await routeByProxy(proxy, url, policy, init.signal ?? undefined)
    return fetch(`${url.protocol}//${url.host}${url.pathname}${url.search}`, { ...init, proxy: route })
  }

  /** The proxy is the operator's, so judged as such. Its answer to the name cannot be pinned from here. */
  async function routeByProxy(proxy: string, url: URL, policy: Policy, signal: AbortSignal | undefined) {
    checkUrl(url, policy, 'http', allowPrivate())
    if (policy === 'user') await untilAborted(Promise.resolve(pin(url, policy)), signal)
    const address = URL.parse(proxy)
    if (address?.protocol !== 'http:' && address?.protocol !== 'https:') throw new AppError('outbound.proxy')
    const pinned = await untilAborted(Promise.resolve(pin(address, 'operator')), signal)
    // A TLS proxy has to keep its name, for its certificate.
    if (address.protocol === 'http:') address.host = (pinned.origins[0] ?? '').slice('http://'.length)
    return { url: address.href, respectNoProxy: false }
  }

  return {
    fetch: send,
    async check(url, policy) {
      await pin(parseUrl(url), policy)
    },
    async pinSocket(url, policy) {
      const target = parseUrl(url)
      const pinned = await pin(target, policy, 'socket')
      const headers: Record<string, string> = pinned.hostHeader ? { host: pinned.hostHeader } : {}
      return { url: `${pinned.origins[0]}${target.pathname}${target.search}`, headers, tls: pinned.tls }
    },
  }
}

function onlyLooks({ method }: Hop): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Servers close connections on which nothing was asked for a while; one that does right now has heard nothing. */
function isStale(error: unknown, sentAt: number): boolean {
  return wasHungUp(error) && performance.now() - sentAt < STALE_MS
}

function sendPinned(pinned: Pinned, url: URL, init: Init): Promise<Response> {
  const { origins, hostHeader, tls } = pinned
  const path = url.pathname + url.search
  if (hostHeader !== undefined) init.headers = { ...init.headers, host: hostHeader }
  if (tls) init.tls = { ...init.tls, ...tls }
  return origins.length === 1 ? fetch(origins[0] + path, init) : sendToFirst(pinned, path, init)
}

/** The next address is tried only when the last one could not be reached at all: then nothing was sent. */
async function sendToFirst(pinned: Pinned, path: string, init: Init): Promise<Response> {
  const { origins } = pinned
  for (const [index, origin] of origins.entries()) {
    try {
      const response = await fetch(origin + path, init)
      if (index > 0) preferOrigin(pinned, origin)
      return response
    } catch (error) {
      const failure = asOutboundError(error)
      const last = index === origins.length - 1 || init.body instanceof ReadableStream || init.signal?.aborted
      // Ports run out for one address at a time, and without IPv6 there is none for those of its addresses.
      const isUnreached = failure.code === 'outbound.connect' || failure.code === 'outbound.lack'
      if (last || !isUnreached) throw failure
    }
  }
  throw new AppError('outbound.resolve')
}

/** Upstreams are few and called often; nothing changes a URL once it is read. */
const readUrls = new Map<string, URL>()
const MOST_READ_URLS = 1000

function readUrl(address: string | URL): URL {
  if (typeof address !== 'string') return address
  const known = readUrls.get(address)
  if (known) return known
  const url = parseUrl(address)
  keep(readUrls, address, url, MOST_READ_URLS)
  return url
}

function firstHop(address: string | URL, options: OutboundOptions): Hop {
  const url = readUrl(address)
  const headers = cleanHeaders(options.headers)
  // The strict policy refuses such a URL; an operator's credentials travel as the header they stand for.
  if (options.policy === 'operator' && hasUserinfo(url)) headers.authorization ??= basicCredentials(url)
  if (options.bodyLength !== undefined) headers['content-length'] = String(options.bodyLength)
  return { url, method: (options.method ?? 'GET').toUpperCase(), headers, body: options.body }
}

function basicCredentials({ username, password }: URL): string {
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return `Basic ${Buffer.from(pair).toString('base64')}`
  } catch (error) {
    throw new AppError('outbound.bad-url', {}, error)
  }
}

function withUserLimits(options: OutboundOptions): OutboundOptions {
  return {
    ...options,
    maxBytes: options.maxBytes ?? userLimits.maxBytes,
    idleMs: options.idleMs ?? userLimits.idleMs,
    wholeMs: options.wholeMs ?? userLimits.wholeMs,
  }
}
