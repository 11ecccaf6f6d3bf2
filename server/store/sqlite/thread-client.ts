import { hasSpareFiles } from '../spare-files.ts'
import { UniqueViolation, unavailable } from '../store-error.ts'
import { noteDamage } from './note-damage.ts'
import type { FileMarks } from './same-file.ts'
import type { ThreadReply, ThreadRequest, ThreadResult, ThreadRole } from './thread-protocol.ts'

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

/** SQLite's words for "the file cannot be read or written now". */
const outOfReach = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOTADB|CORRUPT|PROTOCOL)/

function threadError(reply: { code: string; message: string }): Error {
  const error = Object.assign(new Error(reply.message), { code: reply.code })
  if (/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)/.test(reply.code))
    return new UniqueViolation(reply.message, { cause: error })
  noteDamage(reply.code, reply.message)
  return outOfReach.test(reply.code) ? unavailable(error) : error
}

interface Waiting {
  resolve(result: ThreadResult): void
  reject(error: Error): void
  /** What has come of it, where it comes in portions. */
  readonly portions: unknown[][]
}

const plainThread = new URL('./sqlite-thread.ts', import.meta.url)

/** The event loop's end of one SQLite thread. */
export class SqliteThread {
  readonly #thread: Worker
  readonly #waiting = new Map<number, Waiting>()
  #next = 1
  #broken: Error | undefined

  private constructor(readonly file: URL) {
    this.#thread = new Worker(file, { smol: true })
    this.#thread.onmessage = ({ data }) => this.#settle(typeof data === 'string' ? JSON.parse(data) : data)
    this.#thread.onerror = event => this.#fail(new Error(`the SQLite thread failed: ${event.message}`))
  }

  /** `marks` are those of the files that others have open, where there are any. */
  static async open(
    path: string,
    role: ThreadRole,
    { marks, file = plainThread }: { marks?: FileMarks | undefined; file?: URL } = {},
  ): Promise<SqliteThread> {
    if (!hasSpareFiles()) throw unavailable(new Error('no file is left to open'))
    const thread = new SqliteThread(file)
    try {
      await thread.#send({ kind: 'open', path, role, ...(marks && { marks }) })
    } catch (error) {
      thread.#thread.terminate()
      throw error
    }
    return thread
  }

  query(sql: string, parameters: readonly unknown[] = []): Promise<ThreadResult> {
    return this.#send({ kind: 'query', sql, parameters: parameters.map(plain) })
  }

  /** What the thread's decision came to, once it is on disk. When it fails, nothing has changed. */
  async decide<Result>(argument: unknown): Promise<Result> {
    const { decided = 'null' } = await this.#send({ kind: 'decide', argument })
    return JSON.parse(decided)
  }

  async close(): Promise<void> {
    await this.#send({ kind: 'close' })
    this.#thread.terminate()
    // Whoever comes too late is told so, rather than left waiting.
    this.#fail(new Error('the database is closed'))
  }

  #send(request: WithoutId<ThreadRequest>): Promise<ThreadResult> {
    if (this.#broken) return Promise.reject(unavailable(this.#broken))
    const id = this.#next++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, portions: [] })
      const message = { ...request, id }
      // A batch is thousands of cells: as one text it crosses over faster than cloned cell by cell.
      this.#thread.postMessage(request.kind === 'decide' ? JSON.stringify(message) : message)
    })
  }

  #settle(reply: ThreadReply): void {
    const waiting = this.#waiting.get(reply.id)
    if (reply.ok && reply.result.more) {
      waiting?.portions.push(reply.result.rows)
      // Not at once: what else has come in meanwhile has its turn first.
      setImmediate(() => this.#thread.postMessage({ kind: 'more', id: reply.id }))
      return
    }
    this.#waiting.delete(reply.id)
    if (reply.ok) waiting?.resolve(whole(reply.result, waiting.portions))
    else waiting?.reject(threadError(reply))
  }

  #fail(error: Error): void {
    this.#broken = error
    for (const { reject } of this.#waiting.values()) reject(unavailable(error))
    this.#waiting.clear()
  }
}

function whole(result: ThreadResult, before: readonly unknown[][]): ThreadResult {
  return before.length === 0 ? result : { ...result, rows: [...before, result.rows].flat() }
}

/** Undefined and booleans are not SQLite's; dates never reach here. */
function plain(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  return value
}
