import { atMost, counter } from '../../metrics.ts'

const found = counter(
  'tollgate_guard_found_total',
  'What the rules for requests and answers have found, by rule.',
)
const known = atMost(200)

/** How often each rule has found something in one call; never what. */
export class Tally {
  readonly #counts = new Map<string, number>()

  add(rule: string, action: string, count = 1): void {
    this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + count)
    found.increment({ rule: known(rule), action }, count)
  }

  /** For the log row's part that administrators see. */
  get seen(): Readonly<Record<string, number>> | undefined {
    return this.#counts.size === 0 ? undefined : Object.fromEntries(this.#counts)
  }
}
