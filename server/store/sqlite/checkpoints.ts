import { log } from '../../log.ts'
import type { FileMarks } from './same-file.ts'
import { SqliteThread } from './thread-client.ts'

/** Commits after which what they wrote is carried over into the database. */
const COMMITS = 64
/** Frames of the write-ahead log above which its end is carried over too, so that it begins anew: 48 MB. */
const LONG = 12_000

const CARRY_OVER = 'pragma wal_checkpoint(passive)'

/**
 * Carries the write-ahead log over on a thread of its own: a commit that did it in passing would wait for two
 * more fsyncs and some hundred pages, and all that wait for the commit with it. The thread is opened when first
 * needed. What has come in meanwhile is short, and is now and then done by the writer: only a log that is carried
 * over to its end begins anew.
 */
export class Checkpoints {
  readonly #path: string
  readonly #marks: () => FileMarks | undefined
  readonly #onWriter: (sql: string) => Promise<unknown>
  #thread: SqliteThread | undefined
  #commits = 0
  #running: Promise<void> | undefined
  #closed = false

  constructor(path: string, marks: () => FileMarks | undefined, onWriter: (sql: string) => Promise<unknown>) {
    this.#marks = marks
    this.#path = path
    this.#onWriter = onWriter
  }

  noteCommit(): void {
    if (++this.#commits < COMMITS || this.#running || this.#closed) return
    this.#commits = 0
    this.#running = this.#run()
      .catch(error => log.warn('the write-ahead log could not be carried over', { error }))
      .finally(() => {
        this.#running = undefined
      })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#running
    await this.#thread?.close()
  }

  async #run(): Promise<void> {
    this.#thread ??= await SqliteThread.open(this.#path, 'checkpoints', { marks: this.#marks() })
    const { rows } = await this.#thread.query(CARRY_OVER)
    const [{ log: frames = 0 } = {}] = rows as { log?: number }[]
    if (frames <= LONG || this.#closed) return
    // What came in while thousands were carried over is some more; the writer is left what comes in during that.
    await this.#thread.query(CARRY_OVER)
    await this.#onWriter(CARRY_OVER)
  }
}
