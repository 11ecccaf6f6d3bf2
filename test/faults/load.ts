import type { Random } from './random.ts'
import type { Wanted } from './upstream.ts'

/** One call, whoever serves it: whose money, how much it may cost, what the provider will do. */
export interface Call extends Wanted {
  readonly id: string
  readonly userId: number
  readonly tokenId: number
  readonly most: number
  readonly least?: number
}

/** What a client can see of an answer, whatever the program's own words for it are. */
export type Seen =
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'tokens' }
  /** The program says that so much is certain to be charged, should it die now. */
  | { readonly kind: 'checkpoint'; readonly charge: number }
  | { readonly kind: 'done'; readonly charge: number }
  | { readonly kind: 'error' }

/** The program under test, as the load and the auditor know it. */
export interface Target {
  send(call: Call, signal: AbortSignal): AsyncIterable<Seen>
}

/** What became of one call, from where its client stands. */
export interface Sight {
  readonly call: Call
  refused: number | undefined
  firstByte: boolean
  checkpoint: number
  /** What the end of the answer said it cost. */
  charge: number | undefined
  /** The connection broke, or the answer ended without its end. */
  broken: boolean
}

/** Makes one call and tells what was seen; leaves after so many pieces if told to. */
export async function makeCall(
  target: Target,
  call: Call,
  more: { leaveAfter?: number; onSeen?: (seen: Seen) => void } = {},
): Promise<Sight> {
  const sight: Sight = {
    call,
    refused: undefined,
    firstByte: false,
    checkpoint: 0,
    charge: undefined,
    broken: false,
  }
  const leaving = new AbortController()
  let pieces = 0
  try {
    for await (const seen of target.send(call, leaving.signal)) {
      if (seen.kind === 'refused') sight.refused = seen.status
      else sight.firstByte = true
      if (seen.kind === 'checkpoint') sight.checkpoint = seen.charge
      if (seen.kind === 'done') sight.charge = seen.charge
      more.onSeen?.(seen)
      if (seen.kind === 'tokens' && ++pieces === more.leaveAfter) leaving.abort()
    }
  } catch {
    // A connection that breaks is what these tests are about.
  }
  sight.broken = sight.refused === undefined && sight.charge === undefined
  return sight
}

export interface Payer {
  readonly userId: number
  readonly tokenId: number
}

/** Clients that call one after the other, without pause, as long as they are let. */
export class Load {
  readonly sights: Sight[] = []
  /** Answers that have begun so far. */
  begun = 0
  readonly #target: () => Target
  readonly #payers: readonly Payer[]
  readonly #random: Random
  #made = 0
  #running: Promise<void>[] = []
  #stopped = true

  constructor(target: () => Target, payers: readonly Payer[], random: Random) {
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
      if (sight.broken || sight.refused === 503) await Bun.sleep(sight.firstByte ? 30 : 100)
    }
  }

  /** Most calls are ordinary; some fail at the provider, some clients leave, some answers overrun. */
  #one(): Promise<Sight> {
    const random = this.#random
    const payer = this.#payers[random(0, this.#payers.length - 1)] ?? { userId: 0, tokenId: 0 }
    const tokens = random(4, 40)
    const dice = random(0, 19)
    const call: Call = {
      id: `call-${++this.#made}`,
      ...payer,
      tokens,
      most: tokens + random(0, 20),
      ...(dice < 2 ? { failsAfter: 0 } : dice < 4 ? { failsAfter: random(2, tokens) } : {}),
    }
    let isFirst = true
    const onSeen = ({ kind }: Seen): void => {
      if (kind !== 'tokens' || !isFirst) return
      isFirst = false
      this.begun++
    }
    return makeCall(this.#target(), call, { onSeen, ...(dice === 4 ? { leaveAfter: random(1, 6) } : {}) })
  }
}
