import { log } from '../../log.ts'
import { gauge } from '../../metrics.ts'

const damaged = /^SQLITE_(CORRUPT|NOTADB)/
/** Callers who are told to try again would fill the log with it. */
const AGAIN_MS = 600_000

let isTold = false
let toldAt: number | undefined

/** From now on: a start and a command end with the damage that they meet, and say so themselves. */
export function tellOfDamage(): void {
  isTold = true
  gauge(
    'tollgate_database_damaged',
    '1 since something of the SQLite file could not be read any more.',
    () => (toldAt === undefined ? 0 : 1),
  )
}

/** What is damaged is met by whoever needs just that, while all else goes on; it does not heal by itself. */
export function noteDamage(code: string, reason: string): void {
  if (!isTold || !damaged.test(code)) return
  const now = performance.now()
  if (toldAt !== undefined && now - toldAt < AGAIN_MS) return
  toldAt = now
  const advice = 'stop the program, see to the disk, and put a backup in the place of the file'
  log.error('the database file is damaged: what needs the damaged part fails', { reason, advice })
}
