/** Structured logs, one JSON object a line, with secrets taken out by name, by pattern and by value. */

import { writeSync } from 'node:fs'

const levels = { debug: 10, info: 20, warn: 30, error: 40 } as const
type Level = keyof typeof levels
export type Fields = Readonly<Record<string, unknown>>

const secretNames = /pass(word)?$|secret|token$|^key$|_key$|authorization|cookie|api-?key/i
const secretPatterns = /\b(sk-[\w-]{8,}|Bearer\s+[\w.~+/=-]{8,}|AIza[\w-]{20,})|(:\/\/[^\s/:@]+:)[^\s/@]+@/g

let threshold: number = levels.info
let worker = ''
/** Shorter ones are no secrets: hiding them would garble lines. */
const SHORTEST_SECRET = 6
/** Secrets that begin alike, and how long they are, the longest first. */
interface Alike {
  readonly secrets: Set<string>
  readonly lengths: number[]
}
/** By how they begin: a line is looked through once, however many thousand there are. */
const knownSecrets = new Map<string, Alike>()
/** In letters. Whoever reads the log may stand still; what he does not take must not fill the memory. */
const MOST_UNREAD = 4_000_000
let unread = 0
let write = (line: string): void => {
  if (unread > MOST_UNREAD) return
  unread += line.length
  process.stdout.write(line, () => {
    unread -= line.length
  })
}

/** A log that cannot be written (a full disk, a reader that left) must not take the calls with it. */
function surviveLostOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', () => {
      if (stream === process.stdout) write = writeIfPossible
    })
}

/** The stream is closed for good after an error; what is behind it may have room again. */
function writeIfPossible(line: string): void {
  try {
    writeSync(1, line)
  } catch {
    // There is nowhere to say so.
  }
}

export function configureLog(options: {
  level: Level
  worker?: string
  secrets?: readonly (string | undefined)[]
  write?: (line: string) => void
}): void {
  threshold = levels[options.level]
  worker = options.worker ?? ''
  for (const secret of options.secrets ?? []) rememberSecret(secret)
  if (options.write) write = options.write
  else surviveLostOutput()
}

/** From now on this value is replaced wherever it would appear in a log line. */
export function rememberSecret(secret: string | undefined): void {
  if (!secret || secret.length < SHORTEST_SECRET) return
  const beginning = secret.slice(0, SHORTEST_SECRET)
  const alike = knownSecrets.get(beginning) ?? { secrets: new Set(), lengths: [] }
  knownSecrets.set(beginning, alike)
  alike.secrets.add(secret)
  if (alike.lengths.includes(secret.length)) return
  alike.lengths.push(secret.length)
  alike.lengths.sort((a, b) => b - a)
}

function secretAt(text: string, at: number): string | undefined {
  const alike = knownSecrets.get(text.slice(at, at + SHORTEST_SECRET))
  if (!alike) return undefined
  const length = alike.lengths.find(long => alike.secrets.has(text.slice(at, at + long)))
  return length === undefined ? undefined : text.slice(at, at + length)
}

function hideSecrets(text: string): string {
  let safe = ''
  let done = 0
  for (let at = 0; at <= text.length - SHORTEST_SECRET; at++) {
    const secret = secretAt(text, at)
    if (secret === undefined) continue
    safe += `${text.slice(done, at)}***`
    done = at + secret.length
    at = done - 1
  }
  return done === 0 ? text : safe + text.slice(done)
}

function redactText(text: string): string {
  const safe = text.replace(secretPatterns, (_whole, _token, prefix?: string) =>
    prefix ? `${prefix}***@` : '***',
  )
  return hideSecrets(safe)
}

function redact(name: string, value: unknown, depth = 0): unknown {
  if (value !== null && value !== undefined && value !== '' && secretNames.test(name)) return '***'
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Error) return describeError(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > 4) return '…'
  if (Array.isArray(value)) return value.slice(0, 50).map(item => redact('', item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redact(key, inner, depth + 1)]))
}

/** An error with its causes, as text; never as an object whose fields might carry a request. */
export function describeError(error: unknown): string {
  const parts: string[] = []
  for (let at: unknown = error; at !== undefined && at !== null && parts.length < 5; ) {
    parts.push(
      at instanceof Error ? (parts.length === 0 ? (at.stack ?? String(at)) : String(at)) : String(at),
    )
    at = at instanceof Error ? at.cause : undefined
  }
  return redactText(parts.join(' ← '))
}

function emit(level: Level, message: string, fields: Fields = {}): void {
  if (levels[level] < threshold) return
  const line: Record<string, unknown> = {
    time: new Date().toISOString(),
    level,
    message: redactText(message),
  }
  if (worker) line.worker = worker
  for (const [name, value] of Object.entries(fields)) line[name] = redact(name, value)
  write(`${JSON.stringify(line)}\n`)
}

export const log = {
  /** For hot paths: whether it is worth gathering the fields. */
  get tellsDebug() {
    return threshold <= levels.debug
  },
  debug: (message: string, fields?: Fields) => emit('debug', message, fields),
  info: (message: string, fields?: Fields) => emit('info', message, fields),
  warn: (message: string, fields?: Fields) => emit('warn', message, fields),
  error: (message: string, fields?: Fields) => emit('error', message, fields),
}
