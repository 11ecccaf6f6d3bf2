import { mkdirSync, readFileSync, unlinkSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { log } from '../log.ts'
import { GroupCommit } from './group-commit.ts'
import type { Move } from './moves.ts'

/** Moves that the database could not take, kept until it can. */
export interface Journal {
  /** Resolves when the move is on disk. */
  append(move: Move): Promise<void>
  /** What is waiting, oldest first. */
  pending(): readonly Move[]
  /** These have reached the database. */
  clear(count: number): Promise<void>
}

/** A file of JSON lines, synced before anyone is told; it exists only while something waits in it. */
export class FileJournal implements Journal {
  readonly path: string
  readonly #pending: Move[]
  readonly #writes: GroupCommit<Move, true>
  #file: FileHandle | undefined
  /** How much of the file was acknowledged. */
  #length = 0
  /** The file may end in the middle of a line that could not be written whole. */
  #torn = false
  /** Ends when whoever is at the file is done with it. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.path = path
    this.#pending = readMoves(path)
    this.#writes = new GroupCommit(moves => this.#inTurn(() => this.#take(moves)), 1000)
  }

  async append(move: Move): Promise<void> {
    await this.#writes.submit(move)
  }

  pending(): readonly Move[] {
    return [...this.#pending]
  }

  clear(count: number): Promise<void> {
    return this.#inTurn(() => this.#clear(count))
  }

  /** What waits stays in the file, for the next process. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#file?.close()
      this.#file = undefined
    })
  }

  /** A file must not be taken away while a move is being written into it. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => {})
    return result
  }

  async #clear(count: number): Promise<void> {
    this.#pending.splice(0, count)
    // What came in meanwhile stands in the file after what is done; repeating moves is harmless.
    if (this.#pending.length > 0) return
    await this.#file?.close()
    this.#file = undefined
    this.#torn = false
    try {
      unlinkSync(this.path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }

  async #take(moves: readonly Move[]): Promise<true[]> {
    try {
      await this.#write(moves)
    } catch (error) {
      if (this.#pending.length === 0) await this.#clear(0)
      else await this.#cutOff()
      throw error
    }
    this.#pending.push(...moves)
    return moves.map(() => true)
  }

  /** What was never acknowledged: whoever was told that it failed must not be charged by the next process. */
  async #cutOff(): Promise<void> {
    try {
      await this.#file?.truncate(this.#length)
      this.#torn = false
    } catch (error) {
      log.warn('what could not be written stays in the journal', { error })
    }
  }

  async #write(moves: readonly Move[]): Promise<void> {
    if (!this.#file) {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
      const file = await open(this.path, 'a', 0o600)
      this.#length = (await file.stat()).size
      this.#file = file
    } else if (this.#torn) {
      // What could not be cut off stands before what is acknowledged from here on.
      this.#length = (await this.#file.stat()).size
    }
    const lines = moves.map(move => `${JSON.stringify(move)}\n`).join('')
    const bytes = Buffer.from(this.#torn ? `\n${lines}` : lines)
    this.#torn = true
    // A disk that is nearly full takes a part and says so.
    for (let at = 0; at < bytes.length; ) at += (await this.#file.write(bytes, at)).bytesWritten
    await this.#file.datasync()
    this.#length += bytes.length
    this.#torn = false
  }
}

/** What a journal file holds; a torn last line was never acknowledged. */
export function readMoves(path: string): Move[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  const moves: Move[] = []
  for (const line of text.split('\n')) {
    if (line === '') continue
    try {
      moves.push(JSON.parse(line) as Move)
    } catch {
      // A line that was being written when the process died: nobody was told that it had been taken.
    }
  }
  return moves
}
