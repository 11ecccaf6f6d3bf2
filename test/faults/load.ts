import type { Random } from './random.ts'
import type { Wanted } from './upstream.ts'

export interface Payer {
  readonly userId: number
  readonly tokenId: number
  /** As a client sends it. */
  readonly key: string
}

/** One call: whose money, how long the answer may be, what the provider will do. */
export interface Call extends Wanted {
  readonly payer: Payer
  readonly model?: string
  /** Sent as `max_tokens`; without it the answer may be as long as it likes. */
  readonly most?: number | undefined
  /** The answer in one piece instead of a stream. */
  readonly plain?: boolean
}

/** What a client can see of an answer. */
export type Seen =
  | { readonly kind: 'answered'; readonly requestId: string }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'tokens'; readonly count: number }
  /** The frame that says that the answer is whole. */
  | { readonly kind: 'done' }
  /** A frame that says that it is not, and that nothing follows. */
  | { readonly kind: 'error' }

/** The program under test, as the load and the auditor know it. */
export interface Target {
  send(call: Call, signal: AbortSignal): AsyncIterable<Seen>
}

/** What became of one call, from where its client stands. */
export interface Sight {
  readonly call: Call
  /** By which the books know it; empty when the client never heard. */
  requestId: string
  refused: number | undefined
  tokens: number
  done: boolean
  failed: boolean
  /** The client went away in the middle. */
  left: boolean
  /** The connection broke, or the answer ended without its end. */
  broken: boolean
  /** Milliseconds: between these two the price was looked up. */
  readonly sentAt: number
  answeredAt: number
}

/** Makes one call and tells what was seen; leaves after so many pieces if told to. */
export async function makeCall(
  target: Target,
  call: Call,
  more: { leaveAfter?: number; onSeen?: (seen: Seen) => void } = {},
): Promise<Sight> {
  const sight: Sight = {
    call,
    requestId: '',
    refused: undefined,
    tokens: 0,
    done: false,
    failed: false,
    left: false,
    broken: false,
    sentAt: performance.now(),
    answeredAt: Number.POSITIVE_INFINITY,
  }
  const leaving = new AbortController()
  let pieces = 0
  try {
    for await (const seen of target.send(call, leaving.signal)) {
      note(sight, seen)
      more.onSeen?.(seen)
      if (seen.kind !== 'tokens' || ++pieces !== more.leaveAfter) continue
      sight.left = true
      leaving.abort()
    }
  } catch {
    // A connection that breaks is what these tests are about.
  }
  sight.broken = sight.refused === undefined && !sight.done && !sight.failed && !sight.left
  return sight
}

function note(sight: Sight, seen: Seen): void {
  switch (seen.kind) {
    case 'answered':
      sight.requestId = seen.requestId
      sight.answeredAt = performance.now()
      break
    case 'refused':
      sight.refused = seen.status
      break
    case 'tokens':
      sight.tokens += seen.count
      break
    case 'done':
      sight.done = true
      break
    case 'error':
      sight.failed = true
  }
}

/**
 * Trouble on a channel is remembered by model, and five failures in a row leave it alone: so many that hardly one is met
 * five times, or calls are refused for that.
 */
export const models = Array.from({ length: 200 }, (_, at) => `model-${at}`)

/** Clients that call one after the other, without pause, as long as they are let. */
export class Load {
  readonly sights: Sight[] = []
  /** Answers that have begun so far. */
  begun = 0
  readonly #target: Target
  readonly #payers: readonly Payer[]
  readonly #random: Random
  #made = 0
  #running: Promise<void>[] = []
  #stopped = true

  constructor(target: Target, payers: readonly Payer[], random: Random) {
    this.#target = target
    this.#payers = payers
    this.#random = random
  }

  start(clients: number): void {
    this.#stopped = false
    this.#running = Array.from({ length: clients }, () => this.#client())
  }

  /** Lets the calls under way end. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#running)
  }

  async #client(): Promise<void> {
    while (!this.#stopped) {
      const sight = await this.#one()
      this.sights.push(sight)
      if (sight.broken || sight.refused !== undefined) await Bun.sleep(sight.tokens > 0 ? 30 : 200)
    }
  }

  /** Most calls are ordinary; some fail at the provider, some clients leave, some answers are long. */
  #one(): Promise<Sight> {
    const random = this.#random
    const payer = this.#payers[random(0, this.#payers.length - 1)]
    if (!payer) throw new Error('nobody pays')
    const tokens = random(4, 40)
    const dice = random(0, 39)
    const call: Call = {
      id: `call-${++this.#made}`,
      payer,
      tokens,
      model: models[random(0, models.length - 1)] ?? '',
      most: random(0, 3) === 0 ? undefined : tokens + random(-2, 20),
      ...unusual(dice, tokens, random),
    }
    let isFirst = true
    const onSeen = ({ kind }: Seen): void => {
      if (kind !== 'tokens' || !isFirst) return
      isFirst = false
      this.begun++
    }
    return makeCall(this.#target, call, { onSeen, ...(dice === 0 ? { leaveAfter: random(1, 6) } : {}) })
  }
}

function unusual(dice: number, tokens: number, random: Random): Partial<Call> {
  if (dice < 4) return dice === 0 ? {} : { failsAfter: 0, abrupt: dice === 1 }
  if (dice < 8) return { failsAfter: random(2, tokens), abrupt: dice === 4 }
  if (dice < 12) return { failsFirst: true }
  if (dice < 14) return { plain: true }
  // Long enough, in time and in bytes, for a checkpoint.
  if (dice < 16) return { tokens: 100, most: 120, atATime: 1, pauseMs: 40, padding: 4096 }
  return {}
}
