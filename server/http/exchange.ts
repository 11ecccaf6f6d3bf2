import { type Language, preferredLanguage } from '../../contract/language.ts'
import type { Incoming } from '../relay/request/incoming.ts'
import type { BodyRoom } from './body-room.ts'
import { type ClientAddresses, isNear } from './client-address.ts'
import { rawPath } from './request-path.ts'
import { usualPath } from './usual-path.ts'

/** The part of Bun's server a request needs. */
export interface Peer {
  requestIP(request: Request): { address: string } | null
  timeout(request: Request, seconds: number): void
  upgrade(request: Request, options: { data: unknown; headers: Record<string, string> }): boolean
}

/**
 * How long a connection may rest between requests, and a body stand still. Each word to the runtime about one
 * connection costs as much as routing a call, so only what takes longer than this is given more time.
 */
export const REST_SECONDS = 12

/** What proxies say of themselves and of whom they speak for. A page in a browser nearby is nobody of ours either. */
const handedOn =
  /^(x-forwarded-|x-original-|x-envoy-|cf-|fastly-|sec-fetch-)|^(forwarded|via|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|origin|cdn-loop)$/

function isHandedOn(headers: Headers): boolean {
  for (const name of headers.keys()) if (handedOn.test(name)) return true
  return false
}

/** One request on its way through the front door; what costs something is worked out when first asked for. */
export class Exchange {
  readonly request: Request
  readonly path: string
  readonly requestId: string
  readonly #peer: Peer
  readonly #addresses: ClientAddresses
  readonly #isOwnTlsHost: (host: string) => boolean
  readonly #room: BodyRoom
  #language: Language | undefined
  #address: string | undefined
  #socket: string | undefined
  #isKeptOpen = false
  /** What of its body was counted, and for whom. */
  #held = 0
  #isAnswered = false
  #sender: number | string = ''
  payer: Incoming['payer']
  /** Of a model call that leaves spans. */
  trace: Incoming['trace']
  /** Of a model call whose content is kept. */
  transcript: Incoming['transcript']
  /** Cookies to be set on the answer. */
  readonly setCookies: string[] = []

  constructor(
    request: Request,
    peer: Peer,
    addresses: ClientAddresses,
    requestId: string,
    isOwnTlsHost: (host: string) => boolean,
    room: BodyRoom,
  ) {
    this.request = request
    this.path = usualPath(request, rawPath(request.url))
    this.requestId = requestId
    this.#peer = peer
    this.#addresses = addresses
    this.#isOwnTlsHost = isOwnTlsHost
    this.#room = room
  }

  get language(): Language {
    this.#language ??= preferredLanguage(this.request.headers.get('accept-language'))
    return this.#language
  }

  get address(): string {
    this.#address ??= this.#addresses.resolve(
      this.#socketAddress,
      this.request.headers.get('x-forwarded-for'),
    )
    return this.#address
  }

  /** From this machine or its private network, and not on behalf of someone we cannot see. */
  get isNearby(): boolean {
    if (!isNear(this.address)) return false
    return this.#fromTrustedProxy || !isHandedOn(this.request.headers)
  }

  get host(): string {
    const forwarded = this.#fromTrustedProxy ? this.request.headers.get('x-forwarded-host') : null
    return forwarded ?? this.request.headers.get('host') ?? ''
  }

  /** Whether the client came by TLS: as a trusted proxy says, or because our public address is https. */
  get secure(): boolean {
    if (this.#fromTrustedProxy) {
      const scheme = this.request.headers.get('x-forwarded-proto')
      if (scheme) return scheme === 'https'
    }
    return this.#isOwnTlsHost(this.host)
  }

  hold(bytes: number): void {
    // Who reads on has nobody who would give it back.
    if (this.#isAnswered) return
    if (this.#held === 0) this.#sender = this.payer ?? this.address
    this.#room.take(this.#sender, bytes, this.#held)
    this.#held += bytes
  }

  /** Its body has been answered. */
  letGo(): void {
    this.#isAnswered = true
    if (this.#held === 0) return
    this.#room.giveBack(this.#sender, this.#held)
    this.#held = 0
  }

  /** For what may take long and keeps its own clocks. */
  keepOpen(): void {
    if (this.#isKeptOpen) return
    this.#isKeptOpen = true
    this.#peer.timeout(this.request, 0)
  }

  /** The answer is out. The runtime would let the connection rest for as long as its last request could take. */
  letRest(): void {
    if (!this.#isKeptOpen) return
    this.#isKeptOpen = false
    this.#peer.timeout(this.request, REST_SECONDS)
  }

  /** Turns the connection into a WebSocket; false when its client is gone. */
  upgrade(session: unknown, headers: Record<string, string>): boolean {
    return this.#peer.upgrade(this.request, { data: session, headers })
  }

  get userAgent(): string {
    return this.request.headers.get('user-agent') ?? ''
  }

  /** Asking the runtime costs more than anything else here, so it is asked once. */
  get #socketAddress(): string {
    this.#socket ??= this.#peer.requestIP(this.request)?.address ?? '0.0.0.0'
    return this.#socket
  }

  get #fromTrustedProxy(): boolean {
    if (!this.#addresses.trustsAny) return false
    return this.#addresses.isTrusted(this.#addresses.resolve(this.#socketAddress, null))
  }
}
