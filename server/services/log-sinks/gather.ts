import { logTypes } from '../../../contract/log-types.ts'
import type { LogView } from '../../../contract/logs.ts'
import { giveWay } from '../give-way.ts'
import { type LogRow, viewLogs } from '../logs/view-logs.ts'
import type { Settled } from './settled.ts'
import type { Batch, Parts, Sink } from './sink.ts'

/** Few enough that streams of this process hardly wait while they are written. */
const AT_A_TIME = 100
/** Times as long as a portion took. */
const REST = 3

export interface Gathered extends Batch {
  /** Whether it is as much as goes out at once. */
  readonly isFull: boolean
}

type Bounds = Pick<Sink, 'mostRows' | 'mostBytes'>

/** The rows after a number, as far as nothing can still come in between; undefined where there are none. */
export async function gather(
  app: Parts,
  settled: Settled,
  after: number,
  { mostRows, mostBytes }: Bounds,
): Promise<Gathered | undefined> {
  const batch = new Collecting(app, after)
  while (batch.rows < mostRows && batch.bytes < mostBytes) {
    const found = await rowsAfter(app, batch.to, Math.min(AT_A_TIME, mostRows - batch.rows))
    const whole = withoutGaps(found, batch.to, settled.upTo)
    if (whole.length === 0) {
      if (found.length === 0) return batch.end(false)
      const was = settled.upTo
      await settled.look(batch.to, found.at(-1)?.id ?? batch.to)
      // What was read before that may lack what it is about.
      if (settled.upTo <= was) return batch.end(false)
      continue
    }
    await batch.take(whole, mostBytes)
  }
  return batch.end(true)
}

/** The same rows once more, up to a number that was settled when they were gathered first. */
export async function gatherAgain(app: Parts, after: number, to: number): Promise<Batch> {
  const batch = new Collecting(app, after)
  for (;;) {
    const found = await rowsAfter(app, batch.to, AT_A_TIME)
    const wanted = found.filter(({ id }) => id <= to)
    await batch.take(wanted)
    if (wanted.length < AT_A_TIME) return { ...batch.batch, to }
  }
}

function rowsAfter({ store }: Parts, after: number, many: number): Promise<LogRow[]> {
  return store.db.selectFrom('logs').selectAll().where('id', '>', after).orderBy('id').limit(many).execute()
}

/** The first of them, until one that stands behind a number that is missing and may still come. */
function withoutGaps(rows: readonly LogRow[], after: number, settledUpTo: number): readonly LogRow[] {
  let last = after
  for (const [at, { id }] of rows.entries()) {
    if (id !== last + 1 && id > settledUpTo) return rows.slice(0, at)
    last = id
  }
  return rows
}

class Collecting {
  readonly #app: Parts
  readonly #from: number
  readonly #lines: string[] = []
  readonly #names = new Map<number, string>()
  #at = 0
  to: number
  rows = 0
  bytes = 0

  constructor(app: Parts, after: number) {
    this.#app = app
    this.#from = after + 1
    this.to = after
  }

  get batch(): Batch {
    return { from: this.#from, to: this.to, at: this.#at, lines: this.#lines }
  }

  end(isFull: boolean): Gathered | undefined {
    return this.rows === 0 ? undefined : { ...this.batch, isFull }
  }

  /** As administrators see them. */
  async take(rows: readonly LogRow[], mostBytes = Number.POSITIVE_INFINITY): Promise<void> {
    const began = performance.now()
    const isWanted = this.#app.settings.get('LogSinkRows') === 'all' ? () => true : isCall
    const views = await viewLogs(this.#app.store.db, rows, 'admin', this.#names)
    for (const view of views) {
      if (this.bytes >= mostBytes) break
      if (isWanted(view)) this.#write(view)
      this.to = view.id
      this.rows++
    }
    await giveWay(performance.now() - began, REST)
  }

  #write(view: LogView): void {
    const line = JSON.stringify(view)
    if (this.#lines.length === 0) this.#at = view.created_at
    this.#lines.push(line)
    this.bytes += line.length
  }
}

function isCall({ type }: LogView): boolean {
  return type === logTypes.consumption || type === logTypes.error
}
