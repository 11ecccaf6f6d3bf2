import { statSync } from 'node:fs'
import { basename } from 'node:path'

/** The database and its write-ahead log, as they were found; one that was not there yet has no mark. */
export type FileMarks = readonly (string | undefined)[]

const parts = ['', '-wal']

export function markFiles(path: string): FileMarks {
  return parts.map(part => markOf(path + part))
}

/**
 * Throws where a path leads to another file by now, or to none: whatever is written into the one that is open would be
 * gone with the program, and a thread that opened the new one would carry the old one's log over into it. What has
 * no mark gets one now.
 */
export function proveSame(path: string, marks: FileMarks): FileMarks {
  const found = markFiles(path)
  const other = parts.find((_, at) => marks[at] !== undefined && marks[at] !== found[at])
  if (other === undefined) return found
  const name = basename(path)
  const message =
    `${name}${other} is not the file that was opened: it was moved, deleted or replaced while the program runs. ` +
    `Put that back, or stop the program; where a backup takes its place, ${name}-wal and ${name}-shm go first`
  // SQLite's own word, which it has for other kinds of its journal only.
  throw Object.assign(new Error(message), { code: 'SQLITE_READONLY_DBMOVED' })
}

function markOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
