import { isIP } from 'node:net'
import { totalmem } from 'node:os'
import { resolve } from 'node:path'
import { type OtelEnv, readOtel } from './otel-env.ts'
import { explainOthersEnv } from './others-env.ts'
import type { Engine } from './store/engine.ts'
import { explainTimeZone } from './time-zone.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface Database {
  readonly engine: Engine
  /** A file path for SQLite, otherwise the whole URL. */
  readonly target: string
}

export interface Env {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly database: Database
  /** How many connections to PostgreSQL or MySQL each worker may have. */
  readonly connectionsEach: number
  readonly redisUrl: string | undefined
  readonly workers: number
  /** How much of large bodies may be held at once, in bytes, by all workers together. */
  readonly bodyMemory: number
  /** Undefined when it is to be kept in a file of the data directory. */
  readonly secretKey: string | undefined
  readonly rootPassword: string | undefined
  /** Addresses or networks whose X-Forwarded-* headers are believed. */
  readonly trustedProxies: readonly string[]
  /** Whether whoever registers is given a token to begin with. */
  readonly generateDefaultToken: boolean
  /** How long `/readyz` says no before the port is closed, in seconds. */
  readonly shutdownDelay: number
  readonly logLevel: LogLevel
  /** Where spans go; undefined when nobody wants them. */
  readonly otel: OtelEnv | undefined
  /** Whether the runtime was told to let a debugger in. */
  readonly isInspected: boolean
}

/** All that is wrong with the environment, one line each. */
export class EnvError extends Error {
  override readonly name = 'EnvError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

const MEGABYTE = 1024 * 1024

const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']
const sampleSecrets = /^(.)\1*$|random_?string|change_?me|secret_?key|your[-_ ]|example|password|123456/i

/** A variable that a file to import from names. */
export function readVariable(name: string): string | undefined {
  return process.env[name]?.trim() || undefined
}

/** Reads and checks the environment. The only place that looks at process.env. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const problems: string[] = []
  const given = (name: string): string | undefined => source[name]?.trim() || undefined

  function whole(name: string, initial: number, least: number, most: number): number {
    const text = given(name)
    if (text === undefined) return initial
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    problems.push(`${name} must be a whole number from ${least} to ${most}, not "${text}"`)
    return initial
  }

  const workers = whole('WORKERS', 1, 1, 256)
  const dataDir = resolve(given('DATA_DIR') ?? 'data')
  const env: Env = {
    port: whole('PORT', 3000, 0, 65_535),
    host: given('HOST')?.replace(/^\[(.*)\]$/, '$1') ?? '0.0.0.0',
    dataDir,
    database: readDatabase(given('DATABASE_URL'), dataDir, problems),
    connectionsEach: shareConnections(
      whole('DATABASE_CONNECTIONS', usualConnections(workers), 1, 10_000),
      workers,
      problems,
    ),
    redisUrl: readRedis(given('REDIS_URL'), problems),
    workers,
    bodyMemory: whole('BODY_MEMORY', usualBodyMemory(), 64, 1_048_576) * MEGABYTE,
    secretKey: readSecret(given('SECRET_KEY'), problems),
    rootPassword: readRootPassword(given('ROOT_PASSWORD'), problems),
    trustedProxies: readProxies(given('TRUSTED_PROXIES'), problems),
    generateDefaultToken: readFlag('GENERATE_DEFAULT_TOKEN', given('GENERATE_DEFAULT_TOKEN'), problems),
    shutdownDelay: whole('SHUTDOWN_DELAY', 0, 0, 60),
    logLevel: readLogLevel(given('LOG_LEVEL'), problems),
    otel: readOtel(given, readFlag, problems),
    isInspected: isInspected(source),
  }
  if (!/^[\w.:-]+$/.test(env.host)) problems.push(`HOST must be an address or a host name, not "${env.host}"`)
  if (problems.length > 0) throw new EnvError(problems)
  return env
}

/** An eighth of all: what is read of a body takes several times its own. At the least four of the largest. */
function usualBodyMemory(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.max(512, Math.floor(bytes / 8 / MEGABYTE))
}

/** By the runtime's own variables. */
function isInspected({ BUN_INSPECT, BUN_OPTIONS = '' }: Record<string, string | undefined>): boolean {
  return Boolean(BUN_INSPECT?.trim()) || BUN_OPTIONS.includes('--inspect')
}

/** What is set and is not what it seems, as for an older tool: a sentence for each. */
export function explainVariables(): string[] {
  return [...explainOthersEnv(process.env), ...explainTimeZone(process.env.TZ)]
}

/** The runtime allows 256 outgoing requests at once unless told otherwise before the process starts. */
const OUTGOING_REQUESTS = '65336'

/** What a worker inherits; `port` is the one the first worker got when the system was to choose. */
export function workerEnvironment(port: number): Record<string, string | undefined> {
  return { ...process.env, PORT: String(port), BUN_CONFIG_MAX_HTTP_REQUESTS: OUTGOING_REQUESTS }
}

function readDatabase(url: string | undefined, dataDir: string, problems: string[]): Database {
  const fallback: Database = { engine: 'sqlite', target: resolve(dataDir, 'tollgate.db') }
  if (url === undefined) return fallback
  const scheme = url.slice(0, url.indexOf(':'))
  if (scheme === 'sqlite' || scheme === 'file') {
    const path = url.slice(scheme.length + 1).replace(/^\/{3,}/, '/')
    // Two slashes would lead to the root of the disk, and what is in memory only is gone with the process.
    if (path !== '' && !path.startsWith('//') && path !== ':memory:')
      return { engine: 'sqlite', target: resolve(dataDir, path) }
  }
  if (URL.canParse(url) && new URL(url).pathname.length > 1 && isDecodable(url)) {
    if (scheme === 'postgres' || scheme === 'postgresql') return { engine: 'postgres', target: url }
    if (scheme === 'mysql' || scheme === 'mariadb')
      return { engine: 'mysql', target: url.replace(/^mariadb:/, 'mysql:') }
  }
  problems.push(
    'DATABASE_URL must be sqlite:<file>, postgres://user:password@host:port/database or ' +
      'mysql://user:password@host:port/database, with signs such as # / ? @ % in a password written %23 %2F %3F %40 %25',
  )
  return fallback
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

/** One for the ledger's batches, one that listens for changes, and two for all else. */
const LEAST_CONNECTIONS = 4
const USUAL_CONNECTIONS = 12
/** Two programs, and people who look at it, fit into the 100 that PostgreSQL gives by itself. */
const USUAL_SUM = 40

function usualConnections(workers: number): number {
  return Math.max(Math.min(workers * USUAL_CONNECTIONS, USUAL_SUM), workers * LEAST_CONNECTIONS)
}

function shareConnections(sum: number, workers: number, problems: string[]): number {
  const least = workers * LEAST_CONNECTIONS
  if (sum < least)
    problems.push(
      `DATABASE_CONNECTIONS must be at least ${least}, ${LEAST_CONNECTIONS} for each of the WORKERS, not "${sum}"`,
    )
  return Math.floor(sum / workers)
}

function readRedis(url: string | undefined, problems: string[]): string | undefined {
  if (url === undefined) return undefined
  const read = URL.parse(url)
  const isOurs = read !== null && ['redis:', 'rediss:'].includes(read.protocol) && read.hostname !== ''
  if (isOurs && /^\/?\d*$/.test(read.pathname)) return url
  problems.push(
    'REDIS_URL must be redis://user:password@host:port/number or rediss://… for TLS, of which the host alone is needed',
  )
  return undefined
}

function readSecret(secret: string | undefined, problems: string[]): string | undefined {
  if (secret === undefined) return undefined
  const problem = secretProblem(secret)
  if (problem) problems.push(problem)
  return secret
}

/** What is wrong with a SECRET_KEY, if anything; the value itself is never repeated. */
export function secretProblem(secret: string): string | undefined {
  if (secret.length < 32) return 'SECRET_KEY must be at least 32 characters long'
  if (sampleSecrets.test(secret) || new Set(secret).size < 8)
    return 'SECRET_KEY must be random: this one is a sample or has too little variety'
  return undefined
}

function readRootPassword(password: string | undefined, problems: string[]): string | undefined {
  if (password !== undefined && (password.length < 8 || password.length > 20))
    problems.push('ROOT_PASSWORD must be 8 to 20 characters long')
  return password
}

function readProxies(text: string | undefined, problems: string[]): readonly string[] {
  if (text === undefined || text === 'none') return []
  const entries = text.split(',').map(entry => entry.trim())
  for (const entry of entries) {
    const [address = '', bits, ...more] = entry.split('/')
    const most = isIP(address) === 6 ? 128 : 32
    const bitsFine = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
    if (isIP(address) === 0 || !bitsFine || more.length > 0)
      problems.push(
        `TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, separated by commas, not "${entry}"`,
      )
  }
  return entries
}

function readFlag(name: string, text: string | undefined, problems: string[]): boolean {
  const value = text?.toLowerCase() ?? 'false'
  if (value !== 'true' && value !== 'false') problems.push(`${name} must be true or false, not "${text}"`)
  return value === 'true'
}

function readLogLevel(text: string | undefined, problems: string[]): LogLevel {
  const level = logLevels.find(known => known === (text ?? 'info'))
  if (!level) problems.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${text}"`)
  return level ?? 'info'
}

/** For people: where the data is, without the password. */
export function describeDatabase({ database: { engine, target } }: Pick<Env, 'database'>): string {
  if (engine === 'sqlite') return `SQLite ${target}`
  const { host, pathname } = new URL(target)
  return `${engine === 'postgres' ? 'PostgreSQL' : 'MySQL'} ${host}${pathname}`
}
