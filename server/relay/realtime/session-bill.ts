import { AppError } from '../../errors.ts'
import { cost } from '../../ledger/price/cost.ts'
import type { Amounts, Usage } from '../../ledger/price/price-snapshot.ts'
import { log } from '../../log.ts'
import { asCharged, believe } from '../order/charge-usage.ts'
import type { Order } from '../order/order.ts'
import type { Frame } from './frame.ts'
import { measureSaid, type Report, TOKENS_A_SECOND } from './read-event.ts'
import { addUsage, SessionUsage } from './session-usage.ts'

/** More is set aside when this part of what was is used up. */
const EXTEND_AT = 0.8
/** What was said is reckoned in steps of so many tokens. */
const STEP = 1000

/** The money of one session: noted after every response, and settled once. */
export class SessionBill {
  readonly usage: SessionUsage
  readonly #order: Order
  readonly #quantum: number
  /** What the client has said since the last response: the next one reads it. What came before was read, and is cached. */
  #said: Amounts = {}
  #saidSince = performance.now()
  #reckonedAt = 0
  #checkpointed = 0

  constructor(order: Order, quantum: number) {
    this.#order = order
    this.#quantum = quantum
    this.usage = new SessionUsage(text => order.parts.counter.countText(text))
  }

  /**
   * The client says something. Undefined while what is set aside is enough for a response to it; else more is, or the
   * promise resolves with the reason why the session has to end.
   */
  hear(frame: Frame): Promise<AppError | undefined> | undefined {
    this.#said = addUsage(this.#said, measureSaid(frame))
    const said = this.#saidAtOnce()
    const tokens = tokensOf(said)
    if (tokens < this.#reckonedAt + STEP) return undefined
    this.#reckonedAt = tokens
    const { bill, price } = this.#order
    const next = cost(price, addUsage(this.usage.total, said))
    if (next <= bill.granted) return undefined
    return bill
      .extend(next + this.#quantum, next + 1)
      .then(isGranted => (isGranted ? undefined : new AppError('relay.quota-ended')))
  }

  /** Without sound as it is spoken: of an open microphone most is silence, which no model reads. */
  #saidAtOnce(): Amounts {
    const { audioInput = 0 } = this.#said
    const spoken = ((performance.now() - this.#saidSince) / 1000) * TOKENS_A_SECOND
    return { ...this.#said, audioInput: Math.max(0, Math.ceil(audioInput - spoken)) }
  }

  /** Resolves when what was used so far is on disk, or with the reason why the session has to end. */
  async note(report: Report): Promise<AppError | undefined> {
    const { incoming, bill, price } = this.#order
    await this.usage.note({ ...report, usage: believe(report.usage, incoming.requestId) })
    if (report.of === 'response') {
      this.#said = {}
      this.#saidSince = performance.now()
      this.#reckonedAt = 0
    }
    this.#order.claims?.charge(tokensOf(this.usage.total))
    const total = this.usage.isEmpty ? 0 : cost(price, this.usage.total)
    if (total === 0) return undefined
    const isScarce = total > bill.granted * EXTEND_AT
    if (isScarce && !(await bill.extend(total + this.#quantum, total + 1)))
      return new AppError('relay.quota-ended')
    const isKept = await bill.checkpoint(total)
    // A settlement has a journal for when the database is away; a checkpoint has not.
    return isKept ? undefined : new AppError('store.unavailable')
  }

  /** Says what a response that is under way has used for certain, in case this process dies: it may take minutes. */
  watch(): void {
    const { certain } = this.usage
    if (!certain) return
    const { bill, price } = this.#order
    const charge = cost(price, addUsage(this.usage.total, { ...asCharged(certain), calls: 1 }))
    if (charge <= this.#checkpointed) return
    this.#checkpointed = charge
    bill.checkpoint(charge).catch(error => log.warn('a checkpoint failed', { error }))
  }

  /** Whether it is on disk. `status` is what the log says of a session in which nothing was used. */
  async settle(status: number): Promise<boolean> {
    const { requestId } = this.#order.incoming
    let isAsked = false
    try {
      await this.usage.noteBreak()
      isAsked = true
      if (this.usage.isEmpty) await this.#order.cancel(status, 'the session ended before anything was used')
      else await this.#order.settleUsage(this.usage.total, undefined, describe(this.usage.total))
      return true
    } catch (error) {
      log.error('a realtime session could not be settled', { requestId, error })
    }
    // What was asked for is owed, and tried again. Otherwise what is set aside must not stay so.
    if (isAsked) return false
    await this.#order.cancel(500, '').catch(error => log.error('a hold was left open', { requestId, error }))
    return false
  }
}

/** In the words of a log row's `other`: that it was a session, and how its tokens divide. */
function describe({ input = 0, output = 0, audioInput = 0, audioOutput = 0 }: Usage): object {
  return {
    ws: true,
    text_input: input,
    text_output: output,
    audio_input: audioInput,
    audio_output: audioOutput,
  }
}

/** Whatever they cost. */
function tokensOf({ calls: _, ...tokens }: Amounts): number {
  return Object.values(tokens).reduce((sum: number, amount) => sum + (amount ?? 0), 0)
}
