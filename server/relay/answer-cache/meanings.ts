import { readOpenaiEmbedAnswer } from '../../dialects/embeddings.ts'
import { parseObject } from '../../dialects/json.ts'
import { log } from '../../log.ts'
import { counter } from '../../metrics.ts'
import type { Order } from '../order/order.ts'
import { runErrand } from '../plain/own-errand.ts'
import { makeRoom } from '../routing/make-room.ts'
import type { UpstreamCall } from '../upstream/upstream-call.ts'
import { type Meaning, readMeaning } from './meaning.ts'

/** Nobody waits longer for a saving. */
const PATIENCE_MS = 2000
/** After so many failures in a row it is left alone for a while, and then after each. */
const MOST_FAILURES = 3
const REST_MS = 30_000
/** The same text is often asked again soon, or by several at once. */
const MOST_REMEMBERED = 500

const asked = counter(
  'tollgate_relay_meanings_total',
  'Questions whose meaning an embedding model was to tell, by what came of it.',
)

/** What texts mean, told by a model at the operator's own channels. */
export class Meanings {
  readonly #recent = new Map<string, Promise<Meaning | undefined>>()
  #failures = 0
  #restsUntil = 0

  /** Undefined where it cannot be told soon; never fails. It goes on without the caller: others may wait for it. */
  of(order: Order, model: string, text: string): Promise<Meaning | undefined> {
    const { admitted, parts } = order
    // What people say is not kept, only its name.
    const key = parts.store.cipher.hash('meaning', JSON.stringify([admitted.caller.userId, model, text]))
    const known = this.#recent.get(key)
    if (!known && performance.now() < this.#restsUntil) {
      asked.increment({ outcome: 'rested' })
      return Promise.resolve(undefined)
    }
    const telling = known ?? this.#tell(order, model, text, () => this.#recent.delete(key))
    this.#recent.delete(key)
    makeRoom(this.#recent, MOST_REMEMBERED)
    this.#recent.set(key, telling)
    return telling
  }

  async #tell(order: Order, model: string, text: string, forget: () => void): Promise<Meaning | undefined> {
    try {
      const meaning = await ask(order, model, text)
      this.#failures = 0
      asked.increment({ outcome: 'told' })
      return meaning
    } catch (error) {
      forget()
      asked.increment({ outcome: 'failed' })
      const { requestId } = order.incoming
      const rests = ++this.#failures >= MOST_FAILURES
      if (rests) this.#restsUntil = performance.now() + REST_MS
      log.warn('what a question means could not be told', { requestId, model, rests, error })
      return undefined
    }
  }
}

async function ask(order: Order, model: string, text: string): Promise<Meaning> {
  let open: UpstreamCall | undefined
  let tooLate: Error | undefined
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    tooLate = new Error('too late')
    open?.stop(tooLate)
    reject(tooLate)
  }, PATIENCE_MS)
  const telling = runErrand(order, {
    name: 'meaning',
    capability: 'embeddings',
    fields: { model, input: text },
    onOpen(upstream) {
      open = upstream
      if (tooLate) upstream.stop(tooLate)
    },
  })
  try {
    const answer = await Promise.race([telling, late])
    const written = answer?.write({ input: 0, output: 0 }) ?? ''
    const vectors = readOpenaiEmbedAnswer(parseObject(Buffer.from(written).toString('utf8')) ?? {})
    const meaning = vectors?.[0] && readMeaning(vectors[0])
    if (!meaning) throw new Error('no vector')
    return meaning
  } finally {
    clearTimeout(timer)
    // What comes of it after that is nobody's.
    telling.catch(() => {})
  }
}
