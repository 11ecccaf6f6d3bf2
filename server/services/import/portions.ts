/** In letters; MySQL may take no more than a megabyte at once, and a letter may be four bytes. */
const MOST_LETTERS = 200_000

/** Rows in portions that can be sent in one statement; a row that is larger by itself goes alone. */
export function* inPortions<Row extends object>(rows: readonly Row[]): Iterable<Row[]> {
  let portion: Row[] = []
  let letters = 0
  for (const row of rows) {
    const own = lettersOf(row)
    if (portion.length > 0 && letters + own > MOST_LETTERS) {
      yield portion
      portion = []
      letters = 0
    }
    portion.push(row)
    letters += own
  }
  if (portion.length > 0) yield portion
}

function lettersOf(row: object): number {
  let sum = 0
  for (const value of Object.values(row)) sum += typeof value === 'string' ? value.length : 0
  return sum
}
