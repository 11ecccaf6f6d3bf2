import type { LogView } from '../../../contract/logs.ts'

/** More would cost memory and tell nobody anything. */
const MOST_ROWS = 100_000

export interface LiveView {
  /** Newest first. */
  readonly rows: readonly LogView[]
  /** How many have come since someone scrolled away. */
  readonly waiting: number
}

/** The rows of a live log. While it is held, those that come wait, so that nothing moves under the reader. */
export class LiveRows {
  readonly #most: number
  readonly #listeners = new Set<() => void>()
  readonly #ids = new Set<number>()
  #waiting: LogView[] = []
  #isHeld = false
  #view: LiveView = { rows: [], waiting: 0 }

  constructor(most = MOST_ROWS) {
    this.#most = most
  }

  readonly read = (): LiveView => this.#view

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The highest id there is; 0 for none. */
  newest(): number {
    const highest = (rows: readonly LogView[]) => rows.reduce((most, { id }) => Math.max(most, id), 0)
    return Math.max(highest(this.#waiting), highest(this.#view.rows.slice(0, 100)))
  }

  /** As they came: the newest last. */
  add(rows: readonly LogView[]): void {
    const fresh = this.#unknown(rows).reverse()
    if (fresh.length === 0) return
    this.#waiting = [...fresh, ...this.#waiting]
    if (this.#isHeld) {
      this.#forget(this.#waiting.slice(this.#most))
      this.#waiting.length = Math.min(this.#waiting.length, this.#most)
      this.#show(this.#view.rows)
    } else this.#release()
  }

  /** Newest first, as lists answer. */
  addOlder(rows: readonly LogView[]): void {
    const room = Math.max(0, this.#most - this.#view.rows.length)
    this.#show([...this.#view.rows, ...this.#unknown(rows.slice(0, room))])
  }

  hold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return
    this.#isHeld = isHeld
    if (!isHeld && this.#waiting.length > 0) this.#release()
  }

  #release(): void {
    const all = [...this.#waiting, ...this.#view.rows]
    this.#waiting = []
    this.#forget(all.splice(this.#most))
    this.#show(all)
  }

  #unknown(rows: readonly LogView[]): LogView[] {
    return rows.filter(({ id }) => {
      if (this.#ids.has(id)) return false
      this.#ids.add(id)
      return true
    })
  }

  #forget(rows: readonly LogView[]): void {
    for (const { id } of rows) this.#ids.delete(id)
  }

  #show(rows: readonly LogView[]): void {
    this.#view = { rows, waiting: this.#waiting.length }
    for (const listener of this.#listeners) listener()
  }
}
