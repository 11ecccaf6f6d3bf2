import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, statSync, unlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { FileJournal, readMoves } from './journal.ts'

/** Another machine's process cannot be seen; a file it has not touched for so long is nobody's. */
const FOREIGN_SILENCE_MS = 120_000
const pattern = /^(.+)\.(\d+)\.[0-9a-f]+\.jsonl$/

/** A journal of this process' own: several may share the folder, and none may write in another's file. */
export function openJournal(folder: string): FileJournal {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return new FileJournal(join(folder, ownName()))
}

function ownName(): string {
  return `${hostname()}.${process.pid}.${randomBytes(4).toString('hex')}.jsonl`
}

/** Takes over what processes that died have left in the folder; returns how many moves. */
export async function adoptJournals(folder: string, journal: FileJournal): Promise<number> {
  let adopted = 0
  for (const name of readdirSync(folder)) {
    if (name === basename(journal.path) || !isOrphan(folder, name)) continue
    // Of several that see it only one can rename it. Should that one die too, it is an orphan again.
    const claimed = join(folder, ownName())
    if (!tryRename(join(folder, name), claimed)) continue
    for (const move of readMoves(claimed)) {
      await journal.append(move)
      adopted++
    }
    unlinkSync(claimed)
  }
  return adopted
}

function isOrphan(folder: string, name: string): boolean {
  const [, host, pid] = pattern.exec(name) ?? []
  if (host === undefined) return false
  if (host === hostname()) return Number(pid) === process.pid || !isAlive(Number(pid))
  // A time to come is from before this machine's clock was set back.
  return Math.abs(Date.now() - statSync(join(folder, name)).mtimeMs) > FOREIGN_SILENCE_MS
}

function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
