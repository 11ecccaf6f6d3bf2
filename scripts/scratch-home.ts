import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

type Memory = {
  /** The lines of /proc/mounts; none where the system is another. */
  readonly mounts: string
  /** Bytes that may still be put into the folder, and that nothing else needs. */
  readonly room: number
}

const FOLDER = '/dev/shm'
/** What lies there at once is a fraction of it: programs and browsers need memory too. */
export const ROOM_NEEDED = 8 * 2 ** 30

/**
 * Where the run's databases and folders lie: in memory where that is large enough, since hundreds of them are made,
 * filled and removed, and on a disk the tests would mostly wait for it. Whoever names a TMPDIR has that.
 */
export function scratchHome(named = process.env.TMPDIR, memory = lookAtMemory()): string {
  if (named) return named
  return isOpen(memory.mounts) && memory.room >= ROOM_NEEDED ? FOLDER : tmpdir()
}

/** Programs are started from there, which many a container does not allow. The last that was mounted is what is seen. */
function isOpen(mounts: string): boolean {
  const lines = mounts.split('\n').map(line => line.split(' '))
  const [, , kind, options = ''] = lines.findLast(([, place]) => place === FOLDER) ?? []
  return kind === 'tmpfs' && options.split(',').includes('rw') && !options.split(',').includes('noexec')
}

function lookAtMemory(): Memory {
  try {
    const { bavail, bsize } = statfsSync(FOLDER)
    const room = Math.min(bavail * bsize, process.availableMemory())
    return { mounts: readFileSync('/proc/mounts', 'utf8'), room }
  } catch {
    return { mounts: '', room: 0 }
  }
}
