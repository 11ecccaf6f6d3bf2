import { statSync } from 'node:fs'
import { readStretch, type Unfinished, unfinishedCalls } from '../../ledger/closing/calls-of-month.ts'
import {
  beginMonth,
  type ClosedMonth,
  finishMonth,
  type MonthFile,
  monthToClose,
  noteFile,
  readMonth,
} from '../../ledger/closing/closed-months.ts'
import { type CallToFold, fold } from '../../ledger/closing/fold.ts'
import { monthStates } from '../../ledger/closing/month.ts'
import { log } from '../../log.ts'
import type { App } from '../app.ts'
import type { Progress } from '../background-work.ts'
import { giveWay } from '../give-way.ts'
import { ClearingPace, gentleRest } from '../logs/clearing-pace.ts'
import { booksFolder, readMonthFile, writeMonthFile } from './month-file.ts'

/** What it is called among the work in the background. */
export const CLOSE_BOOKS = 'close-books'

/** In one stretch of a file: read at once, and packed together. */
const STRETCH = 500
/** Where no file is read: the most that is known beforehand of what comes next. */
const AHEAD = 2000

type Closing = Pick<App, 'store' | 'settings' | 'now'> & { readonly dataDir: string }

/**
 * Closes the months that are old enough, one after the other. It may be broken off between any two statements: what
 * was folded is folded, and the next who comes goes on with the rest.
 */
export async function closeBooks(app: Closing, progress: Progress): Promise<void> {
  for (;;) {
    const months = Number(app.settings.get('BooksMonths'))
    if (months === 0) return
    const month = await monthToClose(app.store, app.now(), months)
    if (month === undefined) return
    await closeMonth(app, month, progress)
  }
}

/** Until a pass finds nothing that it could fold. */
async function closeMonth(app: Closing, name: string, progress: Progress): Promise<void> {
  const { store, now } = app
  const began = await beginMonth(store, now(), name)
  for (;;) {
    const unfinished = await unfinishedCalls(store, began.ends_at)
    const pass = new Pass(app, await readMonth(store, name), unfinished, progress)
    const folded = app.settings.get('BooksFile') ? await pass.byFile() : await pass.straight()
    if (folded === 0) break
  }
  await finishMonth(store, now(), name)
  const { calls, entries, files } = await readMonth(store, name)
  log.info('a month of the books was closed', { month: name, calls, entries, files })
}

class Pass {
  readonly #app: Closing
  readonly #month: ClosedMonth
  readonly #unfinished: Unfinished
  readonly #progress: Progress
  #portion: number
  #folded = 0

  constructor(app: Closing, month: ClosedMonth, unfinished: Unfinished, progress: Progress) {
    this.#app = app
    this.#month = month
    this.#unfinished = unfinished
    this.#progress = progress
    this.#portion = month.portions
  }

  /**
   * First all of it into a file, and then only what was read back from that, letter by letter as the books still have
   * it. So no call goes that is not in a file that has been on disk.
   */
  async byFile(): Promise<number> {
    const { dataDir, store } = this.#app
    const { month } = this.#month
    const folder = booksFolder(dataDir)
    const file = await writeMonthFile(folder, month, this.#lines())
    if (!file) return 0
    await noteFile(store, month, file)
    log.info('a month of the books was written to a file', { month, ...sizeOf(folder, file) })
    await this.#fold(readCalls(folder, file.name), file.calls)
    return this.#folded
  }

  async straight(): Promise<number> {
    let calls = 0
    for await (const lines of this.#lines()) calls += lines.length
    if (calls > 0) await this.#fold(this.#calls(), calls)
    return this.#folded
  }

  async *#lines(): AsyncGenerator<readonly string[]> {
    for await (const calls of this.#stretches(STRETCH)) yield calls.map(({ line }) => line)
  }

  async *#calls(): AsyncGenerator<CallToFold> {
    for await (const calls of this.#stretches(AHEAD))
      for (const { id, userId, tokenId } of calls) yield { id, userId, tokenId }
  }

  async *#stretches(many: number) {
    const { store } = this.#app
    const { ends_at: endsAt } = this.#month
    for (let after: string | undefined = ''; after !== undefined; ) {
      this.#progress.signal.throwIfAborted()
      const began = performance.now()
      const stretch: Awaited<ReturnType<typeof readStretch>> = await readStretch(store, {
        ...{ endsAt, unfinished: this.#unfinished, after, many },
      })
      yield stretch.calls
      after = stretch.next
      await giveWay(performance.now() - began, gentleRest(store.engine))
    }
  }

  /** In portions that are as large as nobody notices, with rests in between, as the log is cleared. */
  async #fold(calls: AsyncIterable<CallToFold>, total: number): Promise<void> {
    const pace = new ClearingPace(this.#app.store.engine, total)
    this.#progress.total += total
    let portion: CallToFold[] = []
    for await (const call of calls) {
      portion.push(call)
      if (portion.length < pace.rows) continue
      await this.#foldPortion(portion, pace)
      portion = []
    }
    if (portion.length > 0) await this.#foldPortion(portion, pace)
  }

  async #foldPortion(calls: readonly CallToFold[], pace: ClearingPace): Promise<void> {
    this.#progress.signal.throwIfAborted()
    const { store } = this.#app
    const { month, ends_at: endsAt } = this.#month
    const began = performance.now()
    const portion = { month, endsAt, portion: this.#portion, calls }
    const folded = await store.batch(fold, () => portion)
    if (!folded.isOurs) await this.#giveUp()
    const took = performance.now() - began
    if (folded.calls > 0) this.#portion++
    this.#folded += folded.calls
    this.#progress.done += calls.length
    pace.noteDeletion(calls.length, took)
    // Even where nobody calls: other nodes write to the same database.
    await Promise.all([giveWay(took, pace.rest), Bun.sleep(took * Math.min(pace.rest, 1))])
  }

  /** Somebody else goes on with it, who took this process for dead; or an answer was lost of what it did itself. */
  async #giveUp(): Promise<never> {
    const { state, portions } = await readMonth(this.#app.store, this.#month.month)
    const isClosed = state === monthStates.closed
    throw new Error(
      `the books of ${this.#month.month} are ${isClosed ? 'closed' : `at portion ${portions}, not ${this.#portion}`}`,
    )
  }
}

async function* readCalls(folder: string, name: string): AsyncGenerator<CallToFold> {
  for await (const line of readMonthFile(folder, name)) {
    const { id, user_id, token_id } = JSON.parse(line) as { id: string; user_id: number; token_id: number }
    yield { id, userId: user_id, tokenId: token_id, line }
  }
}

function sizeOf(folder: string, { name, calls }: MonthFile) {
  return { file: name, calls, bytes: statSync(`${folder}/${name}`).size }
}
