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

/** SECRET_KEY from the environment, or the one kept in the data directory, made there when absent. */
export function secretKey(given: string | undefined, dataDir: string): string {
  return inDataDir(dataDir, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    // Whatever else is kept elsewhere, the journal is not.
    accessSync(dataDir, constants.W_OK)
    return given ?? keptSecret(dataDir)
  })
}

function keptSecret(dataDir: string): string {
  const path = join(dataDir, KEY_FILE)
  const secret = readKept(path) ?? keepNew(path)
  const problem = secretProblem(secret)
  if (problem) throw new EnvError([`${problem} (read from ${path})`])
  keepFromOthers(path)
  return secret
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
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(aside, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(aside, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(aside)
  }
  return readFileSync(path, 'utf8').trim()
}
