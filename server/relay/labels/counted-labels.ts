import { joinLabels, OTHER_LABEL, splitLabels } from '../../../contract/labels.ts'

const DAY = 86_400
/** So many ways to be labelled are counted of an account in a day, by each process. */
const MOST_OF_ACCOUNT = 1000
/** And so many of all accounts together: some 20 MB. */
const MOST_OF_ALL = 200_000

/**
 * Keeps what labels are counted by within bounds, whatever callers label their calls with: an account that has had
 * its share for the day is counted by the labels of its tokens, and by `other` for all the rest.
 */
export class CountedLabels {
  readonly #mostOfAccount: number
  readonly #known = new Map<number, Set<string>>()
  #size = 0
  #day = 0

  constructor(mostOfAccount = MOST_OF_ACCOUNT) {
    this.#mostOfAccount = mostOfAccount
  }

  /** What a call with these labels is counted by; `fixed` are those of its token, `now` in seconds since 1970. */
  count(userId: number, labels: string, fixed: string | undefined, now: number): string {
    const day = Math.floor(now / DAY)
    if (day !== this.#day) this.#begin(day)
    const known = this.#known.get(userId) ?? new Set()
    if (known.has(labels)) return labels
    if (known.size >= this.#mostOfAccount || this.#size >= MOST_OF_ALL)
      return joinLabels([...splitLabels(fixed), OTHER_LABEL])
    this.#known.set(userId, known.add(labels))
    this.#size++
    return labels
  }

  #begin(day: number): void {
    this.#day = day
    this.#known.clear()
    this.#size = 0
  }
}
