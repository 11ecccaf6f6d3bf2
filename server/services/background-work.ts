import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { AppError } from '../errors.ts'
import { log } from '../log.ts'
import type { BackgroundWorks } from '../store/schema.ts'
import { unlessThere } from '../store/upsert.ts'
import type { App } from './app.ts'

/** How far a piece of work has come; whoever does it counts here. */
export interface Progress {
  total: number
  done: number
  failed: number
  /** Aborted when someone wants it to stop. */
  readonly signal: AbortSignal
}

type Work = (progress: Progress) => Promise<void>

interface Running {
  readonly name: string
  readonly owner: string
  readonly progress: Progress
  readonly abort: AbortController
  ended: Promise<void>
}

const TELL_MS = 1000
/** One whose owner has said nothing for this long has died with its process. */
const SILENT_SECONDS = 60

/**
 * Work that takes longer than anyone waits for an answer. Of each name one runs at a time in the whole house;
 * how far it has come is stored, so that every worker can show and stop what another one does.
 */
export class BackgroundWork {
  readonly #app: Pick<App, 'store' | 'now'>
  readonly #running = new Set<Running>()

  constructor(app: Pick<App, 'store' | 'now'>) {
    this.#app = app
  }

  /** False when it runs already, or has been started since `unlessSince`. Does not wait for it to end. */
  async start(name: string, work: Work, unlessSince?: number): Promise<boolean> {
    const owner = randomUUID()
    if (!(await this.#claim(name, owner, unlessSince))) return false
    const abort = new AbortController()
    const progress: Progress = { total: 0, done: 0, failed: 0, signal: abort.signal }
    const running: Running = { name, owner, progress, abort, ended: Promise.resolve() }
    this.#running.add(running)
    running.ended = this.#run(running, work)
    return true
  }

  list(): Promise<Selectable<BackgroundWorks>[]> {
    return this.#app.store.db
      .selectFrom('background_work')
      .selectAll()
      .where('started_at', '>', 0)
      .orderBy('name')
      .execute()
  }

  isRunning({ ended_at, seen_at }: Pick<BackgroundWorks, 'ended_at' | 'seen_at'>): boolean {
    return ended_at === 0 && Math.abs(this.#app.now() - seen_at) < SILENT_SECONDS
  }

  /** False when nothing of that name runs. Whoever runs it stops within about a second. */
  async cancel(name: string): Promise<boolean> {
    const row = await this.#app.store.db
      .selectFrom('background_work')
      .select(['ended_at', 'seen_at'])
      .where('name', '=', name)
      .executeTakeFirst()
    if (!row || !this.isRunning(row)) return false
    await this.#app.store.db
      .updateTable('background_work')
      .set({ cancelled: 1 })
      .where('name', '=', name)
      .where('ended_at', '=', 0)
      .execute()
    for (const running of this.#running) if (running.name === name) running.abort.abort()
    return true
  }

  /** Ends what this process runs: it is about to end itself. */
  async stop(): Promise<void> {
    const all = [...this.#running]
    for (const { abort } of all) abort.abort()
    await Promise.all(all.map(({ ended }) => ended))
  }

  async #claim(name: string, owner: string, unlessSince: number | undefined): Promise<boolean> {
    const { store } = this.#app
    const at = this.#app.now()
    const never = { total: 0, done: 0, failed: 0, started_at: 0, seen_at: 0, ended_at: 1, cancelled: 0 }
    await store.db
      .insertInto('background_work')
      .values({ ...never, name, owner: '' })
      .$call(unlessThere(store.engine))
      .execute()
    const { numUpdatedRows } = await store.db
      .updateTable('background_work')
      .set({ ...never, owner, started_at: at, seen_at: at, ended_at: 0 })
      .where('name', '=', name)
      .where(work =>
        work.or([
          work('ended_at', '>', 0),
          work('seen_at', '<=', at - SILENT_SECONDS),
          // From before a clock was set back: who lives has said something since.
          work('seen_at', '>=', at + SILENT_SECONDS),
        ]),
      )
      .where(work =>
        work.or([
          work('started_at', '<=', unlessSince ?? Number.MAX_SAFE_INTEGER),
          work('started_at', '>=', at + SILENT_SECONDS),
        ]),
      )
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  async #run(running: Running, work: Work): Promise<void> {
    const { name, progress } = running
    const timer = setInterval(() => {
      this.#tell(running).catch(error => log.warn('progress could not be stored', { work: name, error }))
    }, TELL_MS)
    try {
      await work(progress)
    } catch (error) {
      if (!progress.signal.aborted) log.error('work in the background failed', { work: name, error })
    } finally {
      clearInterval(timer)
      await this.#tell(running, this.#app.now()).catch(error =>
        log.warn('the end of background work could not be stored', { work: name, error }),
      )
      this.#running.delete(running)
    }
  }

  /** Stores how far it has come, and learns whether it may go on. */
  async #tell({ name, owner, progress, abort }: Running, ended_at = 0): Promise<void> {
    const { db } = this.#app.store
    const { total, done, failed } = progress
    await db
      .updateTable('background_work')
      .set({ total, done, failed, ended_at, seen_at: this.#app.now() })
      .where('name', '=', name)
      .where('owner', '=', owner)
      .where('ended_at', '=', 0)
      .execute()
    if (ended_at > 0) return
    const row = await db
      .selectFrom('background_work')
      .select(['owner', 'cancelled'])
      .where('name', '=', name)
      .executeTakeFirst()
    if (row?.owner !== owner || row.cancelled !== 0) abort.abort()
  }
}

/** Goes through a list, a few at a time, and counts. `act` tells whether it went well. */
export async function workThrough<T>(
  progress: Progress,
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<boolean>,
): Promise<void> {
  progress.total = items.length
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length && !progress.signal.aborted) {
      const item = items[next++]
      if (item === undefined) return
      const went = await act(item).catch(error => {
        // What an upstream refuses is told by the count.
        if (!(error instanceof AppError)) log.warn('one piece of background work failed', { error })
        return false
      })
      if (progress.signal.aborted) return
      progress.done++
      if (!went) progress.failed++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
