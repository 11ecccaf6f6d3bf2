import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import type { MonthFile } from '../../ledger/closing/closed-months.ts'

const UNFINISHED = '.unfinished'
const pack = promisify(gzip)

/** Where the files of closed months are, in the data directory. */
export const booksFolder = (dataDir: string): string => join(dataDir, 'books')

/**
 * A month's calls as lines of JSON, packed. It has its name only once all of it is on disk; what a process that died
 * has left is taken away by the next. Each stretch is packed by itself, which is one file to everyone who reads it.
 */
export async function writeMonthFile(
  folder: string,
  month: string,
  stretches: AsyncIterable<readonly string[]>,
): Promise<MonthFile | undefined> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(folder)) if (name.endsWith(UNFINISHED)) rmSync(join(folder, name))
  const name = freeName(folder, month)
  const unfinished = join(folder, `${name}${UNFINISHED}`)
  const hash = createHash('sha256')
  const file = await open(unfinished, 'wx', 0o600)
  let calls = 0
  try {
    for await (const lines of stretches) {
      if (lines.length === 0) continue
      const packed = await pack(`${lines.join('\n')}\n`)
      hash.update(packed)
      await file.appendFile(packed)
      calls += lines.length
    }
    await file.sync()
  } catch (error) {
    // A disk that is full has its room back.
    rmSync(unfinished, { force: true })
    throw error
  } finally {
    await file.close()
  }
  if (calls === 0) {
    rmSync(unfinished)
    return undefined
  }
  renameSync(unfinished, join(folder, name))
  await syncFolder(folder)
  return { name, calls, sha256: hash.digest('hex') }
}

/** A month that was broken off and went on has more than one: no file is ever written over. */
function freeName(folder: string, month: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${month}.ndjson.gz` : `${month}.${number}.ndjson.gz`
    if (!existsSync(join(folder, name))) return name
  }
}

/** The name itself is on disk too, or a power cut would take it back. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/** Its lines, as they are read back from the disk. */
export async function* readMonthFile(folder: string, name: string): AsyncGenerator<string> {
  const packed = createReadStream(join(folder, name))
  const lines = packed.pipe(createGunzip())
  // A pipe does not hand on why its beginning broke.
  packed.on('error', error => lines.destroy(error))
  yield* createInterface({ input: lines, crlfDelay: Number.POSITIVE_INFINITY })
}
