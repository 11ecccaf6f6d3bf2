import { isFor, isForModel } from '../guards/guards.ts'
import type { Order } from '../order/order.ts'
import type { Compared } from './compared-text.ts'
import type { FoundAnswer, KeptAnswer } from './kept-answer.ts'
import { type Meaning, packMeaning } from './meaning.ts'

/** Whether the operator has calls like this one compared by what they mean. */
export function isCompared({ parts, admitted, asked }: Order): boolean {
  const { settings } = parts
  if (settings.get('SemanticCacheModel') === '') return false
  const { group, groups = [] } = admitted
  return (
    isForModel(settings.get('SemanticCacheModels'), asked) &&
    isFor(settings.get('SemanticCacheGroups'), [group, ...groups])
  )
}

/** The place of one call among the questions that are compared by what they mean. */
export class Likeness {
  readonly #order: Order
  readonly #model: string
  readonly #text: string
  readonly #bucket: string
  #meaning: Promise<Meaning | undefined> | undefined

  /** `whose`: nobody's question is compared with another's. */
  constructor(order: Order, whose: string, { text, rest }: Compared) {
    const { settings, store } = order.parts
    this.#order = order
    this.#model = settings.get('SemanticCacheModel')
    this.#text = text
    this.#bucket = store.cipher.hash('likeness', JSON.stringify([whose, this.#model, rest]))
  }

  /** Has the meaning told, to be kept with the answer. Not for who could not pay for one: it costs the operator. */
  learn(): Promise<Meaning | undefined> | undefined {
    const { admitted, parts, estimatedTokens } = this.#order
    const least = this.#order.costOf({ input: estimatedTokens, output: 1 })
    if (admitted.caller.balance < Math.max(least, 1)) return undefined
    this.#meaning ??= parts.answers.meanings.of(this.#order, this.#model, this.#text)
    return this.#meaning
  }

  /** The likest that is kept, and no older than so many seconds. */
  async find(seconds: number): Promise<FoundAnswer | undefined> {
    const { answers, settings, now } = this.#order.parts
    const meaning = await this.learn()
    if (!meaning) return undefined
    const oldest = Math.min(seconds, settings.get('SemanticCacheSeconds'))
    for (const { name, similarity } of await answers.similar.find(this.#bucket, meaning, now())) {
      const answer = await answers.find(name, now())
      if (!answer) answers.similar.forget(this.#bucket, name)
      else if (now() < Math.min(answer.endsAt, answer.madeAt + oldest)) return { answer, similarity }
    }
    return undefined
  }

  /** The answer to this question is kept by that name. */
  keep(name: string, { madeAt, endsAt }: KeptAnswer): void {
    const { similar } = this.#order.parts.answers
    const keep = (meaning: Meaning | undefined): void => {
      if (meaning)
        similar.keep(this.#bucket, { name, endsAt, meaning: packMeaning(meaning) }, endsAt - madeAt)
    }
    void this.#meaning?.then(keep)
  }
}
