import { isCrowded } from '../dialects/crowded-json.ts'
import type { Problem } from '../dialects/spec.ts'
import { asOutboundError } from '../outbound/describe-failure.ts'
import { readText } from '../outbound/read-body.ts'
import { joinUrl } from '../providers/kit/url.ts'
import type { RelayParts } from '../relay/parts.ts'
import type { Channel } from '../relay/routing/channel.ts'
import { mapStatus } from '../relay/routing/map-status.ts'
import { outgoingHeaders } from '../relay/upstream/outgoing-headers.ts'
import { scrub, scrubProblem } from '../relay/upstream/scrub.ts'
import { asUpstreamFailure, UpstreamFailure } from '../relay/upstream/upstream-failure.ts'
import type { TaskAccount, TaskProvider } from './define.ts'
import { isRedirect } from './fetch-made.ts'

interface Asking {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** JSON, or bytes with their type. */
  readonly body?:
    | object
    | {
        readonly bytes: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
        readonly type: string
        /** Of a stream, where that is known. */
        readonly length?: number | undefined
      }
    | undefined
  /** Besides those of the provider. */
  readonly headers?: Record<string, string>
  readonly timeoutMs?: number
  /** The longest silence inside of the answer. */
  readonly idleMs?: number
  readonly signal?: AbortSignal
  /** Where the answer may be longer than others are. */
  readonly largest?: number
  /** That the answer lies elsewhere is an answer too. */
  readonly mayLead?: true
}

const LARGEST_ANSWER = 16 * 1024 * 1024
const LOOK_MS = 30_000
const nobody = new Request('http://nobody.invalid')

/** One channel of one vendor, with the key to use there. */
export class Upstream {
  readonly account: TaskAccount
  readonly channel: Channel
  readonly key: string
  readonly #parts: RelayParts
  readonly #request: Request

  /** `request` is whose headers may go along. */
  constructor(
    parts: RelayParts,
    account: TaskAccount,
    place: { readonly channel: Channel; readonly key: string },
    request: Request = nobody,
  ) {
    this.#parts = parts
    this.account = account
    this.channel = place.channel
    this.key = place.key
    this.#request = request
  }

  /** A good answer's JSON; whatever else happens is thrown as the channel's failure. */
  async json(asking: Asking): Promise<unknown> {
    const response = await this.send(asking)
    try {
      const text = await readText(response, asking.largest ?? LARGEST_ANSWER)
      if (asking.largest === undefined && isCrowded(text)) throw new SyntaxError('more values than are read')
      return JSON.parse(text)
    } catch (error) {
      if (error instanceof SyntaxError) throw new UpstreamFailure({ without: 'empty' }, error)
      throw asUpstreamFailure(asOutboundError(error))
    }
  }

  /** A good answer whose body nobody has read yet. */
  async send(asking: Asking): Promise<Response> {
    const { method = 'GET', path, body, headers: more, timeoutMs = LOOK_MS, idleMs, signal, mayLead } = asking
    const { account, channel, key } = this
    const isBytes = body !== undefined && 'bytes' in body
    const url = joinUrl(this.baseUrl, path)
    const type = isBytes ? body.type : 'application/json'
    const json = isBytes || body === undefined ? '' : JSON.stringify(body)
    const proof = account.sign?.(key, { method, url, body: json, type })
    const own = { accept: 'application/json', ...more, ...account.headers(key, channel), ...proof }
    const attempt = { channel, key, model: '' }
    const headers = outgoingHeaders(own, attempt, this.#request, false, body === undefined ? '' : type)
    let response: Response
    try {
      response = await this.#parts.outbound.fetch(url, {
        policy: 'operator',
        method,
        headers,
        timeoutMs,
        // What begins something must not be begun twice; a connection that was kept may be closed at this very moment.
        ...(method === 'POST' ? { isFresh: true } : { mayRepeat: true }),
        ...(idleMs !== undefined && { idleMs }),
        ...(signal && { signal }),
        ...(body === undefined ? {} : { body: isBytes ? body.bytes : json }),
        ...(isBytes && { bodyLength: body.length }),
        ...(channel.setting.proxy ? { proxy: channel.setting.proxy } : {}),
      })
    } catch (error) {
      throw asUpstreamFailure(error)
    }
    if (response.status >= 200 && response.status < 300) return response
    if (mayLead && isRedirect(response)) return response
    if (response.status < 400) throw new UpstreamFailure({ without: 'connect' })
    const text = await readText(response, LARGEST_ANSWER).catch(() => '')
    throw this.refusal(account.readRefusal(response.status, parseAny(text) ?? text))
  }

  /** What the vendor said, without what only the operator may know. */
  refusal(problem: Problem): UpstreamFailure {
    const status = mapStatus(this.channel.statusMapping, problem.status)
    const told = scrubProblem({ ...problem, status }, this.channel, this.baseUrl)
    return new UpstreamFailure({ problem: told, said: problem.status })
  }

  clean(text: string): string {
    const address = URL.parse(this.baseUrl)
    return scrub(text, this.channel, address ? [address.host, address.hostname] : [])
  }

  get baseUrl(): string {
    return baseUrlOf(this.account, this.channel)
  }
}

export function baseUrlOf(account: TaskAccount, channel: Channel): string {
  return channel.baseUrl ?? account.baseUrl
}

/** How a channel is spoken to; undefined when it is of no type that the provider knows. */
export function accountOf<Account extends TaskAccount>(
  { accounts }: { readonly accounts: readonly Account[] },
  { type }: Pick<Channel, 'type'>,
): Account | undefined {
  return accounts.find(({ channelTypes }) => channelTypes.includes(type))
}

/** Whether it may be asked at all. */
export function canAsk(provider: TaskProvider, channel: Channel): boolean {
  const account = accountOf(provider, channel)
  return account !== undefined && baseUrlOf(account, channel) !== ''
}

function parseAny(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
