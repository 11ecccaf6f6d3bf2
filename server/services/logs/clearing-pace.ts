import type { Engine } from '../../store/engine.ts'
import { isBusy } from '../give-way.ts'

/** What a deletion may take, and how many times as long it then rests. */
interface Pace {
  readonly shortMs: number
  readonly rest: number
  /** However long it takes: where the disk is slow every commit is, and fewer rows make only more commits. */
  readonly fewestRows: number
}
interface Paces {
  /** Models are called: none of the calls is to notice. */
  readonly gentle: Pace
  /** They are, and at the gentle pace it would take too long. */
  readonly hurried: Pace
  /** Nobody calls a model here. Other nodes may, where there can be others. */
  readonly alone: Pace
}

const shared: Paces = {
  gentle: { shortMs: 1.5, rest: 8, fewestRows: 50 },
  hurried: { shortMs: 6, rest: 4, fewestRows: 200 },
  alone: { shortMs: 6, rest: 1, fewestRows: 500 },
}
/** SQLite has one writer, for whom all who write in between have to wait; the others share only the disk. */
const paces: Record<Engine, Paces> = {
  sqlite: {
    gentle: { shortMs: 0.5, rest: 4, fewestRows: 40 },
    hurried: { shortMs: 3, rest: 2, fewestRows: 200 },
    alone: { shortMs: 10, rest: 0, fewestRows: 500 },
  },
  postgres: shared,
  mysql: shared,
}
/** It is to be over by then, however much there is. */
const LONGEST_MS = 3_600_000
/** By how much of the whole it may be behind that. */
const SLACK = 0.02
const MOST_ROWS = 5000

export function gentleRest(engine: Engine): number {
  return paces[engine].gentle.rest
}

interface Surroundings {
  /** Whether models are called. */
  isBusy(): boolean
  /** In milliseconds. */
  now(): number
}
const here: Surroundings = { isBusy, now: () => performance.now() }

/** How many rows are deleted at once, and how long the rest is afterwards: by what the last deletion took. */
export class ClearingPace {
  readonly #around: Surroundings
  readonly #paces: Paces
  readonly #total: number
  readonly #began: number
  #pace: Pace
  #gone = 0
  #rows: number

  constructor(engine: Engine, total: number, around: Surroundings = here) {
    this.#around = around
    this.#paces = paces[engine]
    this.#total = total
    this.#began = around.now()
    this.#pace = this.#paces.gentle
    this.#rows = this.#pace.fewestRows
  }

  /** For the next deletion. */
  get rows(): number {
    return this.#rows
  }

  /** How many times as long as the last deletion took. */
  get rest(): number {
    return this.#pace.rest
  }

  /** Rows that are gone without having been deleted one by one. */
  noteGone(rows: number): void {
    this.#gone += rows
  }

  noteDeletion(rows: number, tookMs: number): void {
    this.#gone += rows
    const next = this.#choose()
    const fitting =
      tookMs <= this.#pace.shortMs
        ? Math.min(MOST_ROWS, Math.ceil(this.#rows * 1.2))
        : Math.floor(this.#rows / 2)
    // What was right for nobody would be felt by the first who calls.
    this.#rows = Math.max(next.fewestRows, next.shortMs < this.#pace.shortMs ? 0 : fitting)
    this.#pace = next
  }

  #choose(): Pace {
    const { gentle, hurried, alone } = this.#paces
    if (!this.#around.isBusy()) return alone
    return this.#isBehind ? hurried : gentle
  }

  /** Whether what is done is less than the time that has passed. */
  get #isBehind(): boolean {
    const passed = (this.#around.now() - this.#began) / LONGEST_MS
    return this.#gone / Math.max(this.#total, 1) + SLACK < passed
  }
}
