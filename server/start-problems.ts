/** What can be wrong with the machine when the program starts, each as one sentence that says what to do. */

import { isIP } from 'node:net'
import { CannotStart } from './cannot-start.ts'
import { describeDatabase, type Env, EnvError } from './env.ts'
import { exitCodes } from './process-messages.ts'

export const KEY_FILE = 'secret.key'

const fileProblems: Readonly<Record<string, string>> = {
  EACCES: 'may not be read or written by this account: change its owner or name another folder',
  EPERM: 'may not be read or written by this account: change its owner or name another folder',
  EROFS: 'is on a file system that is read-only: name a folder that can be written',
  ENOSPC: 'is on a disk that is full: make room and start again',
  EDQUOT: 'is on a disk that is full: make room and start again',
  EEXIST: 'is not a folder: name another',
  ENOTDIR: 'is not a folder: name another',
}

/** Runs what needs the data directory. */
export function inDataDir<T>(dataDir: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = codeOf(error)
    if (!/^E[A-Z]+$/.test(code)) throw error
    const { path } = error as NodeJS.ErrnoException
    const subject = path?.startsWith(`${dataDir}/`) ? `${path} in DATA_DIR` : `DATA_DIR ${dataDir}`
    throw new EnvError([`${subject} ${fileProblems[code] ?? `cannot be made or written (${code})`}`])
  }
}

/** Whether an address cannot be listened on because somebody else does. */
export function isTaken(error: unknown): boolean {
  return codeOf(error) === 'EADDRINUSE'
}

/** Why the address of HOST and PORT cannot be listened on. */
export function cannotListen({ host, port }: Env, error: unknown): CannotStart {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is in use: stop what listens there or set another PORT`,
    EACCES: `this account may not listen on port ${port}: set a PORT of 1024 or more`,
    EADDRNOTAVAIL: `HOST ${host} is no address of this machine: 0.0.0.0 or :: means all of them`,
  }
  const code = codeOf(error)
  const unknownName = isIP(host) === 0 ? `HOST ${host} is no name that leads to this machine` : undefined
  const reason = reasons[code] ?? unknownName ?? `nothing can listen on HOST ${host}, PORT ${port} (${code})`
  return new CannotStart(reason, exitCodes.configuration)
}

export interface DatabaseProblem {
  readonly sentence: string
  /** Waiting does not help. */
  readonly lasts: boolean
}

const POOLED = 'a pooler stands before it that keeps no sessions: add ?pgbouncer=true to DATABASE_URL'
/** By SQLite's, PostgreSQL's and MySQL's own codes. */
const lasting: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_NOTADB/, 'the file is not an SQLite database'],
  [/^SQLITE_CORRUPT/, 'the file is damaged, and a backup has to take its place'],
  [/^SQLITE_CANTOPEN/, 'it must be a file that this account may write, in a folder that it may write'],
  [/^(SQLITE_READONLY|EACCES|EROFS|EPERM|EEXIST|ENOTDIR)/, 'this account cannot write it'],
  [/^(28...|1045|1698)$/, 'the account or its password is refused: see DATABASE_URL'],
  [/^(3D000|1049)$/, 'there is no such database: create it, or see DATABASE_URL'],
  [/^(42P05|26000)$/, POOLED],
  [/ALTNAME/, 'its certificate is for another name: DATABASE_URL has to say the one that it is for'],
  [
    /CERT|^UNABLE_TO_/,
    'its certificate is not to be trusted: NODE_EXTRA_CA_CERTS names a file of the authority behind it',
  ],
  [/^(42501|1044|1142|1143)$/, 'the account may not create tables there: give it the right to'],
]
/** Others may give back what they have, and a server that is a replica may be none before long. */
const passing: readonly (readonly [RegExp, string])[] = [
  [/^(25006|1290|1792|1836)$/, 'it takes no writes now: it is read-only, or a replica'],
  [
    /^(53300|1040|1203|1226)$/,
    'the server has no connection left to give: raise its max_connections, ' +
      'or let each program have fewer with DATABASE_CONNECTIONS',
  ],
]
/** The databases' own words, as far as they are told apart from a mistake in this program. */
const databaseCode = /^(SQLITE_|ERR_|E[A-Z]+$|[0-9A-Z]{5}$|\d{4}$)|CERT|^UNABLE_TO_/

/** Undefined when it is not the database's fault. */
export function databaseProblem(env: Env, error: unknown): DatabaseProblem | undefined {
  const cause = firstCause(error)
  const code = codeOf(cause)
  if (!(cause instanceof Error) || !databaseCode.test(code)) return undefined
  const own = cause.message.split('\n')[0] ?? ''
  const find = (list: typeof lasting) => list.find(([pattern]) => pattern.test(code))?.[1]
  const lasts = /unsupported startup parameter/.test(own) ? POOLED : find(lasting)
  const known = lasts ?? find(passing)
  const reason = known ? `${known} (${own})` : own
  return { sentence: `${describeDatabase(env)}: ${reason}`, lasts: lasts !== undefined }
}

/** Only what is asked shows that a file is damaged further in, and a server may leave in the middle. */
export function cannotReadOn(env: Env, error: unknown, what: string): unknown {
  const problem = error instanceof CannotStart ? undefined : databaseProblem(env, error)
  if (!problem) return error
  return new CannotStart(
    `${what}: ${problem.sentence}`,
    problem.lasts ? exitCodes.configuration : exitCodes.databaseDown,
  )
}

function firstCause(error: unknown): unknown {
  let at = error
  while (at instanceof Error && at.cause !== undefined) at = at.cause
  return at
}

/** The database's own number where there is one, otherwise the runtime's word. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code = '', errno } = error as { code?: string; errno?: string | number }
  return /^ERR_(POSTGRES|MYSQL)_/.test(code) && errno !== undefined ? String(errno) : code
}
