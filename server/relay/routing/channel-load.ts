import { Pace } from './pace.ts'

/** Requests under way at a channel, whatever becomes of its row. */
interface Tally {
  underWay: number
}

/** What a channel is busy with and how soon it answers, kept while channels are chosen by that. */
export class ChannelLoad {
  readonly #models: ReadonlySet<string>
  readonly #tally: Tally
  /** First tokens of streams take another time than whole answers. */
  #streamed: Map<string, Pace> | undefined
  #whole: Map<string, Pace> | undefined

  /** `before` is of the same channel as it was before its operator changed it: how quick it was tells no more. */
  constructor(models: ReadonlySet<string>, before?: ChannelLoad) {
    this.#models = models
    this.#tally = before ? before.#tally : { underWay: 0 }
  }

  get underWay(): number {
    return this.#tally.underWay
  }

  /** Of those, how many wait for their first token. */
  get waiting(): number {
    let sum = 0
    for (const { waiting } of this.#streamed?.values() ?? []) sum += waiting
    for (const { waiting } of this.#whole?.values() ?? []) sum += waiting
    return sum
  }

  enter(): void {
    this.#tally.underWay++
  }

  leave(): void {
    this.#tally.underWay--
  }

  /** Undefined for a model that is not the channel's: who names a channel may ask it for anything. */
  paceOf(model: string, stream: boolean): Pace | undefined {
    const known = (stream ? this.#streamed : this.#whole)?.get(model)
    if (known || !this.#models.has(model)) return known
    const pace = new Pace()
    if (stream) this.#streamed = (this.#streamed ?? new Map<string, Pace>()).set(model, pace)
    else this.#whole = (this.#whole ?? new Map<string, Pace>()).set(model, pace)
    return pace
  }
}
