import { AppError } from '../../errors.ts'
import type { Live } from '../live-requests.ts'
import type { Order } from '../order/order.ts'
import { mapStatus } from '../routing/map-status.ts'
import type { Outgoing } from './outgoing.ts'
import { readRetryAfter } from './read-retry-after.ts'
import { scrubProblem } from './scrub.ts'
import { signRequest } from './sign-request.ts'
import { askBySocket } from './socket-request.ts'
import type { Attempt } from './try-channels.ts'
import { asUpstreamFailure, UpstreamFailure } from './upstream-failure.ts'

/** An error page is not worth more than this. */
const LARGEST_ERROR = 256 * 1024
const ERROR_BODY_MS = 10_000

interface Manner {
  readonly method?: string
  /** Whether it may be begun twice. */
  readonly mayRepeat?: boolean
  /** Whether it begins something that goes on by itself: over a connection on which it is heard, or fails before. */
  readonly isFresh?: boolean
}

/**
 * One call of one upstream: its connection, its clock, and the one way to end it. The clock runs until
 * something useful has come; after that whoever reads the answer keeps the time.
 */
export class UpstreamCall implements Live {
  readonly #order: Order
  readonly #abort = new AbortController()
  #deadline: number

  constructor(order: Order, withinMs: number) {
    this.#order = order
    this.#deadline = performance.now() + withinMs
    order.parts.live.add(this)
  }

  tick(at: number): void {
    this.#order.incoming.keepOpen()
    if (at > this.#deadline) this.stop(new AppError('outbound.timeout'))
  }

  /** From now on the upstream may be silent for as long as its reader allows. */
  stopClock(): void {
    this.#order.parts.live.remove(this)
  }

  /** Closes the connection; whoever waits for it gets `reason`. */
  stop(reason: unknown): void {
    this.stopClock()
    this.#abort.abort(reason)
  }

  /** What the connection was closed for, when a read fails because of that. */
  get stoppedFor(): unknown {
    return this.#abort.signal.aborted ? this.#abort.signal.reason : undefined
  }

  /** The upstream's answer, if it is a good one, or any is wanted; whatever else happens is thrown. */
  async send(composed: Outgoing, attempt: Attempt, manner: Manner = {}): Promise<Response> {
    const { method = 'POST', mayRepeat = false, isFresh = false } = manner
    const { proxy } = attempt.channel.setting
    const { signal } = this.#abort
    let response: Response
    try {
      const outgoing = composed.signer
        ? await signRequest(this.#order.parts, composed, attempt, { method, signal })
        : composed
      if (outgoing.socket) return await askBySocket(this.#order.parts, outgoing, attempt, signal)
      response = await this.#order.parts.outbound.fetch(outgoing.address ?? outgoing.url, {
        policy: 'operator',
        method,
        headers: outgoing.headers,
        body: outgoing.body,
        signal,
        timeoutMs: Number.POSITIVE_INFINITY,
        ...(proxy ? { proxy } : {}),
        bodyLength: outgoing.bodyLength,
        mayRepeat,
        isFresh,
      })
    } catch (error) {
      throw asUpstreamFailure(error)
    }
    this.#order.incoming.trace?.noteUpstreamStatus(response.status)
    if (response.status >= 200 && response.status < 300) return response
    if (composed.takesAny) return response
    throw await readRefusal(response, composed, attempt)
  }
}

/** What an upstream says that does not want to, whatever form it comes in. */
export async function readRefusal(
  response: Response,
  { url, readProblem }: Pick<Outgoing, 'url' | 'readProblem'>,
  { channel }: Attempt,
): Promise<UpstreamFailure> {
  const { text } = await readSome(response)
  const read = readProblem(response.status, parseAny(text) ?? text, response.headers)
  const status = mapStatus(channel.statusMapping, read.status)
  const retryAfter = read.retryAfter ?? readRetryAfter(response.headers)
  // A redirect is no answer, and where it points is nobody's business.
  if (response.status < 400) return new UpstreamFailure({ without: 'connect' })
  const problem = { ...read, status, ...(retryAfter !== undefined && { retryAfter }) }
  return new UpstreamFailure({ problem: scrubProblem(problem, channel, url), said: read.status })
}

/** The first part of a body that may never end. */
export async function readSome(response: Response): Promise<{ text: string; isWhole: boolean }> {
  const reader = response.body?.getReader()
  if (!reader) return { text: '', isWhole: true }
  const timer = setTimeout(() => reader.cancel().catch(() => {}), ERROR_BODY_MS)
  const decoder = new TextDecoder()
  let text = ''
  let isWhole = false
  try {
    while (text.length < LARGEST_ERROR && !isWhole) {
      const { done, value } = await reader.read()
      isWhole = done
      if (value) text += decoder.decode(value, { stream: true })
    }
  } catch {
    // What came before the connection broke is what there is.
  } finally {
    clearTimeout(timer)
    reader.cancel().catch(() => {})
  }
  return { text, isWhole }
}

function parseAny(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
