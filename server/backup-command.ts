import { Database } from 'bun:sqlite'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { CannotStart } from './cannot-start.ts'
import { describeDatabase, type Env } from './env.ts'
import { exitCodes } from './process-messages.ts'
import { databaseProblem, KEY_FILE } from './start-problems.ts'
import { Cipher } from './store/cipher.ts'
import { refuseOtherProof, SECRET_PROOF, WrongSecretKey } from './store/system-facts.ts'

const COPY = 'tollgate.db'

/** `backup <folder>`: a whole copy of the SQLite database, at one moment, while the program may be running. */
export function runBackup(env: Env, secretKey: string, args: readonly string[]): number {
  const [folder = '', ...more] = args
  const { engine, target } = env.database
  if (folder === '' || folder.startsWith('-') || more.length > 0)
    throw refused('backup wants one folder to write into: backup <folder>')
  if (engine !== 'sqlite')
    throw refused(
      `${describeDatabase(env)} is saved by its own tool, ` +
        (engine === 'postgres' ? 'pg_dump' : 'mysqldump --single-transaction'),
    )
  if (!existsSync(target)) throw refused(`there is no database ${target}: see DATA_DIR and DATABASE_URL`)
  const copy = join(folder, COPY)
  const key = join(env.dataDir, KEY_FILE)
  for (const file of [copy, join(folder, KEY_FILE)])
    if (existsSync(file)) throw refused(`${file} is there already: name another folder`)
  // Half a copy would pass for a whole one: it gets its name when all of it is on disk.
  const part = `${copy}.part`
  // The folder may have been there, open to everybody; what is written into it never is.
  process.umask(0o077)
  try {
    const database = new Database(target, { readonly: true })
    refuseOtherKey(database, secretKey)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    clear(part)
    database.prepare('vacuum into ?').run(part)
    database.close()
    chmodSync(part, 0o600)
    if (env.secretKey === undefined) {
      copyFileSync(key, join(folder, KEY_FILE))
      putOnDisk(join(folder, KEY_FILE))
    }
    putOnDisk(part)
    renameSync(part, copy)
    putOnDisk(folder)
  } catch (error) {
    if (error instanceof WrongSecretKey) throw new CannotStart(error.message, exitCodes.otherSecretKey)
    clear(part)
    throw refused(`the copy could not be written: ${databaseProblem(env, error)?.sentence ?? String(error)}`)
  }
  const secret = env.secretKey === undefined ? `and ${KEY_FILE}` : '(SECRET_KEY is yours to keep)'
  // One that names the file that was saved would go before the copy.
  const alone = target === resolve(env.dataDir, COPY) ? '' : ' and without DATABASE_URL'
  process.stdout.write(`${copy} ${secret}\nTo go back to it, start with DATA_DIR=${folder}${alone}.\n`)
  return 0
}

/** With another key beside it the copy would be of no use, and nobody would know before it is needed. */
function refuseOtherKey(database: Database, secretKey: string): void {
  const facts = database.query<object, []>("select 1 from sqlite_schema where name = 'system'")
  // A start that was broken off has left no proof, and nothing that a key would open.
  if (facts.get() === null) return
  const proof = database.query<{ value: string }, [string]>('select value from system where key = ?')
  const row = proof.get(SECRET_PROOF)
  if (row) refuseOtherProof(new Cipher(secretKey), row.value)
}

/** With what SQLite has beside it: a later copy would be taken back by that. */
function clear(part: string): void {
  for (const file of [part, `${part}-journal`]) rmSync(file, { force: true })
}

/** SQLite does not wait until what it copies is there. */
function putOnDisk(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function refused(sentence: string): CannotStart {
  return new CannotStart(sentence, exitCodes.configuration)
}
