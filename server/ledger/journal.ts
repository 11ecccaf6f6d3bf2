import { mkdirSync, readFileSync, unlinkSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
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

  constructor(path: string) {
    this.path = path
    this.#pending = readMoves(path)
    this.#writes = new GroupCommit(moves => this.#write(moves), 1000)
  }

  async append(move: Move): Promise<void> {
    await this.#writes.submit(move)
  }

  pending(): readonly Move[] {
    return [...this.#pending]
  }

  async clear(count: number): Promise<void> {
    this.#pending.splice(0, count)
    // What came in meanwhile stands in the file after what is done; repeating moves is harmless.
    if (this.#pending.length > 0) return
    await this.#file?.close()
    this.#file = undefined
    try {
      unlinkSync(this.path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }

  async #write(moves: readonly Move[]): Promise<true[]> {
    if (!this.#file) {
      mkdirSync(dirname(this.path), { recursive: true })
      this.#file = await open(this.path, 'a', 0o600)
    }
    await this.#file.write(moves.map(move => `${JSON.stringify(move)}\n`).join(''))
    await this.#file.datasync()
    this.#pending.push(...moves)
    return moves.map(() => true)
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
