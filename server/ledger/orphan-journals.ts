import { createHash, randomBytes } from 'node:crypto'
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { FileJournal, readMoves } from './journal.ts'

/** Another machine's process cannot be seen; a file it has not touched for so long is nobody's. */
const FOREIGN_SILENCE_MS = 120_000
/** The last part begins with the marks of the machine's start and of the container's, where these are known. */
const pattern = /^(.+)\.(\d+)\.([0-9a-f]+)\.jsonl$/
const MARK_LENGTH = 8
/** Numbers of processes begin anew with the machine: by then another has that of one that died with it. */
const startMark = markOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))
/** So they do with a container, which keeps its name: there the number of a thread is enough to be taken for it. */
const roomMark = markOf(startOfFirst)

/**
 * Throws where another account's folder or file is in the way, as after a start by root: nothing is written here before
 * the database is away, and then it is too late to find out.
 */
export function prepareJournals(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  for (const name of readdirSync(folder).filter(each => pattern.test(each))) ask(join(folder, name))
}

/** One whose process is done with it in this moment is in nobody's way. */
function ask(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** A journal of this process' own: several may share the folder, and none may write in another's file. */
export function openJournal(folder: string): FileJournal {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return new FileJournal(join(folder, ownName()))
}

function ownName(): string {
  const marks = startMark && roomMark ? startMark + roomMark : startMark
  return `${hostname()}.${process.pid}.${marks}${randomBytes(MARK_LENGTH / 2).toString('hex')}.jsonl`
}

/** Blank where the system does not tell. */
function markOf(read: () => string): string {
  try {
    return createHash('sha256').update(read()).digest('hex').slice(0, MARK_LENGTH)
  } catch {
    return ''
  }
}

/** When the first process was started that is seen from here. */
function startOfFirst(): string {
  const stat = readFileSync('/proc/1/stat', 'utf8')
  // Counted from behind its name, in which there may be anything.
  return stat.slice(stat.lastIndexOf(')')).split(' ')[20] ?? ''
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
  const [, host, pid, mark = ''] = pattern.exec(name) ?? []
  if (host === undefined) return false
  if (host !== hostname() || isOfAnotherStart(mark)) return isSilent(join(folder, name))
  if (Number(pid) === process.pid || !isAlive(Number(pid))) return true
  return isOfAnotherRoom(mark) && isSilent(join(folder, name))
}

/** A time to come is from before this machine's clock was set back. */
function isSilent(path: string): boolean {
  return Math.abs(Date.now() - statSync(path).mtimeMs) > FOREIGN_SILENCE_MS
}

/** Left before this machine was started, or by one of the same name. Older versions have told nothing of that. */
function isOfAnotherStart(mark: string): boolean {
  return startMark !== '' && mark.length >= 2 * MARK_LENGTH && !mark.startsWith(startMark)
}

/** Left before this container was started, or by another on the same machine. */
function isOfAnotherRoom(mark: string): boolean {
  return (
    roomMark !== '' && mark.length === 3 * MARK_LENGTH && mark.slice(MARK_LENGTH, -MARK_LENGTH) !== roomMark
  )
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
