import { counter } from '../../metrics.ts'
import type { Order } from '../order/order.ts'
import { passedHeaders } from '../upstream/outgoing-headers.ts'
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

  async find(): Promise<KeptAnswer | undefined> {
    const { answers, now } = this.#order.parts
    if (this.#wish.refresh) return undefined
    const kept = await answers.find(this.#name, now())
    return kept && now() < Math.min(kept.endsAt, kept.madeAt + this.#wish.seconds) ? kept : undefined
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
    })
  }

  /** What stood in for a model is not its answer. */
  #keep(recorded: Recorded): void {
    const { parts, model, asked, group } = this.#order
    if (model !== asked) return
    const madeAt = parts.now()
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
