import { readdirSync, readFileSync } from 'node:fs'
import { childrenOf } from './program.ts'

/** Several in a row: between two threads there is a moment in which neither runs. */
const LOOKS = 3
const PAUSE_MS = 10

/**
 * Until the programs that this process has started have done all that they can for now: what was sent to them they have
 * read, and acted upon. However slow the machine is, a thread that has something left to do is not asleep.
 */
export async function atRest(): Promise<void> {
  for (let quiet = 0; quiet < LOOKS; ) {
    await Bun.sleep(PAUSE_MS)
    quiet = isAnythingAtWork() ? 0 : quiet + 1
  }
}

function isAnythingAtWork(): boolean {
  // This process works while it looks; the threads beside, which send and receive for it, need not.
  const beside = threadsOf(process.pid).filter(thread => thread !== process.pid)
  return beside.some(thread => isAtWork(process.pid, thread)) || startedBy(process.pid).some(isBusy)
}

function startedBy(pid: number): number[] {
  return childrenOf(pid).flatMap(child => [child, ...startedBy(child)])
}

const isBusy = (pid: number): boolean => threadsOf(pid).some(thread => isAtWork(pid, thread))

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    // It has ended.
    return []
  }
}

/** It runs, waits for its turn to, or for a disk. */
function isAtWork(pid: number, thread: number): boolean {
  try {
    const told = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
    return 'RD'.includes(told[told.lastIndexOf(')') + 2] ?? '')
  } catch {
    return false
  }
}
