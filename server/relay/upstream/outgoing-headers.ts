import { mayPass } from '../../../contract/override/headers.ts'
import type { GivenKey } from '../../store/given-key.ts'
import { findKey } from '../callers/find-key.ts'
import type { OverrideRun } from '../override/override-run.ts'
import type { Attempt } from './try-channels.ts'

/** Headers of a client that mean something to an upstream of the same dialect. */
export const passedHeaders: readonly string[] = ['anthropic-version', 'anthropic-beta', 'openai-beta']
export const REPEATED = 'idempotency-key'
const agent = 'Tollgate'
/** In letters: what is shorter may well stand in a header by chance. */
const LEAST_TELLING = 8

/** The upstream's own headers, those of the client it may see, and what the operator wants otherwise. */
export function outgoingHeaders(
  own: Record<string, string>,
  { channel, key }: Attempt,
  request: Request,
  sameDialect: boolean,
  contentType: string | undefined = 'application/json',
): Record<string, string> {
  const headers = own
  if (contentType) headers['content-type'] = contentType
  headers['user-agent'] = agent
  if (sameDialect) {
    for (const name of passedHeaders) {
      const value = request.headers.get(name)
      if (value !== null) headers[name] = value
    }
    const repeated = ownName(request)
    if (repeated !== undefined) headers[REPEATED] = repeated
  }
  const { header_override } = channel.setting
  if (header_override) {
    const sent = (name: string): string | null => request.headers.get(name)
    if (header_override.passing) passClients(headers, request, header_override.passing)
    for (const [name, value] of header_override.fixed) headers[name] = fill(value, key, sent)
  }
  return headers
}

/** The same with what the operations of the channel want otherwise. */
export function overrideHeaders(
  headers: Record<string, string>,
  run: OverrideRun | undefined,
  { key }: Attempt,
  request: Request,
): Record<string, string> {
  if (run) {
    const shown = shownBy(request)
    run.editHeaders(headers, shown, text => fill(text, key, shown))
  }
  return headers
}

/** As the client sent them, save those that we have a word of our own for. */
function passClients(
  headers: Record<string, string>,
  request: Request,
  passing: (names: readonly string[]) => string[],
): void {
  const shown = shownBy(request)
  for (const name of passing([...request.headers.keys()])) {
    const value = name !== 'user-agent' && headers[name] !== undefined ? null : shown(name)
    if (value !== null) headers[name] = value
  }
}

/** What an upstream may see of a client's headers: nothing that it proves itself with here. */
function shownBy(request: Request): (name: string) => string | null {
  const given = findKey(request)
  return name => {
    const value = mayPass(name.toLowerCase()) ? request.headers.get(name) : null
    return value !== null && given && holdsKey(value, given) ? null : value
  }
}

/** The part of a key that counts may stand there alone; of one that moved in it is all of it that does. */
export function holdsKey(value: string, { whole, key }: GivenKey): boolean {
  return value.includes(whole) || (key.length >= LEAST_TELLING && value.includes(key))
}

/**
 * Who repeats a call may get the first answer again. The account at the upstream is everybody's: a name that two
 * clients happen to choose, or one guesses, must not lead to the other's answer.
 */
export function ownName(request: Request): string | undefined {
  const given = request.headers.get(REPEATED)
  const key = given === null ? undefined : findKey(request)?.whole
  if (given === null || key === undefined) return undefined
  return new Bun.CryptoHasher('sha256').update(`${key}\0${given}`).digest('hex')
}

/** `{api_key}` is the channel's key, `{client_header:X}` what the client sent. */
function fill(value: string, key: string, sent: (name: string) => string | null): string {
  return value
    .replaceAll('{api_key}', () => key)
    .replace(/\{client_header:([\w-]+)\}/g, (_whole, name: string) => sent(name) ?? '')
}
