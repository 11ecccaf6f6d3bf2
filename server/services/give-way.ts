/** Nobody has called a model for so long: then there is nobody to give way to. */
const LULL_MS = 2000
const LONGEST_REST_MS = 20

let lastCall = Number.NEGATIVE_INFINITY

/** Told by the front door, with `performance.now()`. */
export function noteModelCall(at: number): void {
  lastCall = at
}

/** Whether models are being called, by this process at least. */
export function isBusy(): boolean {
  return performance.now() - lastCall <= LULL_MS
}

/**
 * Between two parts of something long: rests for some times as long as the last part took. A model call is a
 * dozen short steps, each of which would wait for a part to end, so while there are such calls most of the time
 * is theirs. A part that took long shows that others need the machine too.
 */
export async function giveWay(tookMs: number, times: number): Promise<void> {
  if (isBusy()) await Bun.sleep(Math.min(Math.max(tookMs * times, 1), LONGEST_REST_MS))
  else await new Promise(setImmediate)
}

const TURN_MS = 1
/** In times of a turn: a model call that is under way meets one in four of its steps, and not every other. */
const TURN_REST = 3
/** To look at the clock costs as much as a short row. */
const ROWS_A_LOOK = 16

/** For whoever works through thousands of rows: every stream of this process waits until the turn is over. */
export class Turn {
  #began = performance.now()
  #rows = 0

  /** Asked with each row, or with some. */
  isOver(rows = 1): boolean {
    this.#rows += rows
    if (this.#rows < ROWS_A_LOOK) return false
    this.#rows = 0
    return performance.now() - this.#began > TURN_MS
  }

  /** Begins the next one, once others have had theirs. */
  async next(): Promise<void> {
    await giveWay(performance.now() - this.#began, TURN_REST)
    this.#began = performance.now()
  }
}

/** The same as `map`, in turns. */
export async function mapInTurns<Row, Made>(
  rows: readonly Row[],
  make: (row: Row) => Made,
  turn = new Turn(),
): Promise<Made[]> {
  const made: Made[] = []
  for (const row of rows) {
    if (turn.isOver()) await turn.next()
    made.push(make(row))
  }
  return made
}

export async function filterInTurns<Row>(
  rows: readonly Row[],
  isWanted: (row: Row) => boolean,
): Promise<Row[]> {
  const turn = new Turn()
  const wanted: Row[] = []
  for (const row of rows) {
    if (turn.isOver()) await turn.next()
    if (isWanted(row)) wanted.push(row)
  }
  return wanted
}
