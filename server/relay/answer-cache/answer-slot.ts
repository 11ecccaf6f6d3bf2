import { SIMILARITY_HEADER } from '../../../contract/model-calls.ts'
import { counter } from '../../metrics.ts'
import type { Order } from '../order/order.ts'
import { passedHeaders } from '../upstream/outgoing-headers.ts'
import type { Compared } from './compared-text.ts'
import type { Flight } from './flights.ts'
import type { FoundAnswer, KeptAnswer } from './kept-answer.ts'
import { Likeness } from './likeness.ts'
import { CACHE_HEADER, type Wish } from './read-wish.ts'
import { type Recorded, Recording } from './recording.ts'

const asked = counter(
  'tollgate_relay_answer_cache_total',
  'Model calls that asked for a kept answer, by whether there was one.',
)
const count = {
  hit: asked.bound({ outcome: 'hit' }),
  similar: asked.bound({ outcome: 'similar' }),
  miss: asked.bound({ outcome: 'miss' }),
}

/** What is asked besides whose it is; two that are the same in this get the same answer. */
interface Question {
  readonly text: string
  /** What the path does not tell. */
  readonly form?: string | undefined
  /** Where the answer to what means the same will do. */
  readonly compared?: Compared | undefined
}

/** The place of one call among the answers that are kept. */
export class AnswerSlot {
  readonly #order: Order
  readonly #wish: Wish
  readonly #name: string
  readonly #likeness: Likeness | undefined
  /** Of this call, while others may be waiting for its answer. */
  #flight: Flight | undefined
  #isKept = false

  private constructor(order: Order, wish: Wish, question: Question) {
    this.#order = order
    this.#wish = wish
    const whose = whoseOf(order, question)
    this.#name = nameOf(order, whose, question)
    this.#likeness = question.compared && new Likeness(order, whose, question.compared)
  }

  /** Undefined for what is not kept: who asks for a channel by its number wants that one's answer. */
  static open(order: Order, wish: Wish, question: Question): AnswerSlot | undefined {
    const isUsual = order.admitted.pinned === undefined && order.model === order.asked
    return isUsual ? new AnswerSlot(order, wish, question) : undefined
  }

  /** What is kept for the same, or else for what means the same. */
  async find(): Promise<FoundAnswer | undefined> {
    const answer = await this.#findSame()
    if (answer) return { answer }
    return this.#likeness && this.#findLike(this.#likeness)
  }

  async #findLike(likeness: Likeness): Promise<FoundAnswer | undefined> {
    // What is asked anew is kept for others that mean the same.
    if (this.#wish.refresh) void likeness.learn()
    const like = this.#wish.refresh ? undefined : await likeness.find(this.#wish.seconds)
    // Whoever waits for the answer to this very question finds that of the other too.
    if (like) this.land()
    return like
  }

  /**
   * What is kept, or will be in a moment: where the same is being asked already, its answer is waited for. Where that
   * one's client leaves, the first of those who wait takes its place; where it fails or is not kept, each asks for itself.
   */
  async #findSame(): Promise<KeptAnswer | undefined> {
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

  tellHit(headers: Headers, { answer, similarity }: FoundAnswer): void {
    if (similarity === undefined) count.hit()
    else {
      count.similar()
      headers.set(SIMILARITY_HEADER, String(similarity))
    }
    headers.set(CACHE_HEADER, 'hit')
    headers.set('age', String(Math.max(0, this.#order.parts.now() - answer.madeAt)))
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
    const answer = { ...recorded, madeAt, endsAt: madeAt + this.#wish.seconds, group }
    this.#isKept = true
    parts.answers.keep(this.#name, answer)
    this.#likeness?.keep(this.#name, answer)
  }
}

/** Nobody's answer is another's: every name begins with this. */
function whoseOf({ admitted, incoming }: Order, { form = '' }: Question): string {
  const { caller, group } = admitted
  const said = passedHeaders.map(name => incoming.request.headers.get(name) ?? '')
  return JSON.stringify([caller.userId, group, incoming.path, form, said])
}

/** Nobody without the house's key can guess it. */
function nameOf({ parts }: Order, whose: string, { text }: Question): string {
  return parts.store.cipher.hash('answer', `${whose}\n${text}`)
}
