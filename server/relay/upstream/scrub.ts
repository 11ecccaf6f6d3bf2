import type { Problem } from '../../dialects/spec.ts'
import type { Channel } from '../routing/channel.ts'

const LONGEST_MESSAGE = 2000
/** Keys and accounts as vendors spell them, also half hidden as some show them. */
const secretPattern = /\b(sk|key|org|proj|AIza)[-_]?[\w-]*[\w*]{12,}\b/g
/** Accounts as clouds name them: of Amazon in the names of all that is there, of Google as projects. */
const accountPattern =
  /\barn:aws[\w-]*:[^\s'"`,()]{1,300}|\bprojects\/[\w:.-]{1,100}|\bproject(?:[ _]number|[ _]id)?[ :=]{1,3}\d{6,20}\b/gi

/** An upstream's words without what only the operator may know: keys, accounts and hosts. */
export function scrub(text: string, channel: Channel, hosts: readonly string[]): string {
  const secrets = secretsOf(channel, hosts)
  // Cut only where all of it is safe: of a secret that is cut in two, the half that is left would not be known.
  const reach = secrets.reduce((most, { length }) => Math.max(most, length), 0)
  const safe = without(secrets, text.slice(0, LONGEST_MESSAGE + reach))
  if (text.length <= LONGEST_MESSAGE) return safe
  return `${safe.slice(0, Math.min(LONGEST_MESSAGE, safe.length - reach))}…`
}

/** The same of a text that is handed on whole. */
export function scrubWhole(text: string, channel: Channel, hosts: readonly string[]): string {
  return without(secretsOf(channel, hosts), text)
}

/** Whether a text names a key or a host as it is. */
export function namesSecret(text: string, channel: Channel, hosts: readonly string[]): boolean {
  return secretsOf(channel, hosts).some(secret => text.includes(secret))
}

function secretsOf(channel: Channel, hosts: readonly string[]): string[] {
  return [...channel.secrets.flatMap(spellingsOf), ...hosts.filter(host => host !== '')]
}

const plainKey = /^[\w.~-]*$/

/** As it is, and as addresses and forms spell it: an API that repeats what it was asked may have been asked so. */
export function spellingsOf(secret: string): readonly string[] {
  if (plainKey.test(secret)) return [secret]
  const inAddress = encodeURIComponent(secret.toWellFormed())
  return [secret, inAddress, new URLSearchParams([['', secret]]).toString().slice(1)]
}

function without(secrets: readonly string[], text: string): string {
  let safe = text
  for (const secret of secrets) safe = safe.replaceAll(secret, '***')
  return safe.replace(secretPattern, '***').replace(accountPattern, '***')
}

export function hostsOf(url: string | URL): readonly string[] {
  const address = URL.parse(url)
  return address ? [address.host, address.hostname] : []
}

/** What is handed on of an upstream's error; its details may say anything and stay here, but for a name. */
export function scrubProblem(problem: Problem, channel: Channel, url: string): Problem {
  const hosts = hostsOf(url)
  const clean = (text: string): string => scrub(text, channel, hosts)
  return {
    status: problem.status,
    message: clean(problem.message),
    ...(problem.own && { own: problem.own }),
    ...(problem.code && { code: clean(problem.code) }),
    ...(problem.param && { param: clean(problem.param) }),
    ...(problem.type && { type: clean(problem.type) }),
    ...(problem.detail && { detail: clean(problem.detail) }),
    ...(problem.retryAfter !== undefined && { retryAfter: problem.retryAfter }),
  }
}
