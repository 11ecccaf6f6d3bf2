import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  linkSync,
  mkdirSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { EnvError, secretProblem } from './env.ts'
import { inDataDir, KEY_FILE } from './start-problems.ts'

export interface SecretKey {
  readonly secret: string
  /** For a database that was filled with another: what was made only now is of no use, and goes. */
  dropIfNew(): void
}

/** SECRET_KEY from the environment, or the one kept in the data directory, made there when absent. */
export function secretKey(given: string | undefined, dataDir: string): SecretKey {
  return inDataDir(dataDir, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    // Whatever else is kept elsewhere, the journal is not.
    accessSync(dataDir, constants.W_OK)
    return given === undefined ? keptSecret(dataDir) : { secret: given, dropIfNew: () => {} }
  })
}

function keptSecret(dataDir: string): SecretKey {
  const path = join(dataDir, KEY_FILE)
  const kept = readKept(path)
  const made = kept === undefined ? keepNew(path) : undefined
  const secret = kept ?? readFileSync(path, 'utf8').trim()
  const problem = secretProblem(secret)
  if (problem) throw new EnvError([`${problem} (read from ${path})`])
  keepFromOthers(path)
  return { secret, dropIfNew: () => drop(path, made) }
}

/** Unless somebody has put the right one in its place meanwhile. */
function drop(path: string, made: string | undefined): void {
  if (made !== undefined && readKept(path) === made) unlinkSync(path)
}

/** A file that is mounted here, or another account's, has the mode that its owner chose. */
function keepFromOthers(path: string): void {
  try {
    chmodSync(path, 0o600)
  } catch (error) {
    if (!['EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

function readKept(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Written aside and linked into place, so that of two first starts at once both read the same whole file. */
function keepNew(path: string): string {
  const secret = randomBytes(48).toString('base64url')
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(aside, `${secret}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(aside, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(aside)
  }
  return secret
}
