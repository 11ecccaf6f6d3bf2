import { counter } from '../../metrics.ts'
import type { Order } from '../order/order.ts'
import { passedHeaders } from '../upstream/outgoing-headers.ts'
import type { Flight } from './flights.ts'
import type { KeptAnswer } from './kept-answer.ts'
import { CACHE_HEADER, type Wish } from './read-wish.ts'
import { type Recorded, Recording } from './recording.ts'

const asked = counter(
  'tollgate_relay_answer_cache_total',
  'Model calls that asked for a kept answer, by whether there was one.',
)
const count = { hit: asked.bound({ outcome: 'hit' }), miss: asked.bound({ outcome: 'miss' }) }

/** What is asked besides whose it is; two that are the same in this get the same answer. */
interface Question {
  readonly text: string
  /** What the path does not tell. */
  readonly form?: string | undefined
}

/** The place of one call among the answers that are kept. */
export class AnswerSlot {
  readonly #order: Order
  readonly #wish: Wish
  readonly #name: string
  /** Of this call, while others may be waiting for its answer. */
  #flight: Flight | undefined
  #isKept = false

  private constructor(order: Order, wish: Wish, question: Question) {
    this.#order = order
    this.#wish = wish
    this.#name = nameOf(order, question)
  }

  /** Undefined for what is not kept: who asks for a channel by its number wants that one's answer. */
  static open(order: Order, wish: Wish, question: Question): AnswerSlot | undefined {
    const isUsual = order.admitted.pinned === undefined && order.model === order.asked
    return isUsual ? new AnswerSlot(order, wish, question) : undefined
  }

  /**
   * What is kept, or will be in a moment: where the same is being asked already, its answer is waited for. Where that
   * one's client leaves, the first of those who wait takes its place; where it fails or is not kept, each asks for itself.
   */
  async find(): Promise<KeptAnswer | undefined> {
    const { flights } = this.#order.parts.answers
    const { signal } = this.#order.incoming.request
    while (!this.#wish.refresh) {
      // One that lands while Redis is asked is waited for too: that answer may have come too late for the question.
      const before = flights.find(this.#name)
      const kept = await this.#look()
      const flight = flights.find(this.#name) ?? before
      if (kept || !flight) return kept ?? this.#begin()
      this.#order.incoming.keepOpen()
      const landing = await flight.landing(signal)
      if (landing === 'kept') return (await this.#look()) ?? this.#begin()
      if (landing !== 'left') break
    }
    return this.#begin()
  }

  #begin(): undefined {
    this.#flight = this.#order.parts.answers.flights.begin(this.#name)
  }

  async #look(): Promise<KeptAnswer | undefined> {
    const { answers, now } = this.#order.parts
    const kept = await answers.find(this.#name, now())
    return kept && now() < Math.min(kept.endsAt, kept.madeAt + this.#wish.seconds) ? kept : undefined
  }

  /** However the call has ended: nobody waits for it any more. */
  land(): void {
    const hasLeft = this.#order.incoming.request.signal.aborted
    this.#flight?.land(this.#isKept ? 'kept' : hasLeft ? 'left' : 'lost')
  }

  tellHit(headers: Headers, { madeAt }: KeptAnswer): void {
    count.hit()
    headers.set(CACHE_HEADER, 'hit')
    headers.set('age', String(Math.max(0, this.#order.parts.now() - madeAt)))
  }

  tellMiss(headers: Headers): void {
    count.miss()
    headers.set(CACHE_HEADER, 'miss')
  }

  /** `limit`: how many tokens the caller's money allows. */
  record(limit: number | undefined): Recording {
    return new Recording({
      room: this.#order.parts.answers,
      limit,
      onWhole: recorded => this.#keep(recorded),
      onEnd: () => this.land(),
    })
  }

  /** What stood in for a model is not its answer. */
  #keep(recorded: Recorded): void {
    const { parts, model, asked, group } = this.#order
    if (model !== asked) return
    const madeAt = parts.now()
    this.#isKept = true
    parts.answers.keep(this.#name, { ...recorded, madeAt, endsAt: madeAt + this.#wish.seconds, group })
  }
}

/** Nobody's answer is another's: the name begins with whose it is. Nobody without the house's key can guess it. */
function nameOf({ admitted, incoming, parts }: Order, { text, form = '' }: Question): string {
  const { caller, group } = admitted
  const said = passedHeaders.map(name => incoming.request.headers.get(name) ?? '')
  const parted = JSON.stringify([caller.userId, group, incoming.path, form, said])
  return parts.store.cipher.hash('answer', `${parted}\n${text}`)
}
