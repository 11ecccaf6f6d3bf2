import type { Problem } from '../../dialects/spec.ts'
import type { Channel } from '../routing/channel.ts'
import { secretsIn } from '../routing/channel-keys.ts'

const LONGEST_MESSAGE = 2000
/** Keys and accounts as vendors spell them, also half hidden as some show them. */
const secretPattern = /\b(sk|key|org|proj|AIza)[-_]?[\w-]*[\w*]{12,}\b/g

/** An upstream's words without what only the operator may know: keys, accounts and hosts. */
export function scrub(text: string, channel: Channel, hosts: readonly string[]): string {
  let safe = text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text
  for (const key of channel.keys) for (const secret of secretsIn(key)) safe = safe.replaceAll(secret, '***')
  for (const host of hosts) if (host !== '') safe = safe.replaceAll(host, '***')
  return safe.replace(secretPattern, '***')
}

/** What is handed on of an upstream's error; its details may say anything and stay here. */
export function scrubProblem(problem: Problem, channel: Channel, url: string): Problem {
  const address = URL.parse(url)
  const hosts = address ? [address.host, address.hostname] : []
  const clean = (text: string): string => scrub(text, channel, hosts)
  return {
    status: problem.status,
    message: clean(problem.message),
    ...(problem.own && { own: problem.own }),
    ...(problem.code && { code: clean(problem.code) }),
    ...(problem.param && { param: clean(problem.param) }),
    ...(problem.type && { type: clean(problem.type) }),
    ...(problem.retryAfter !== undefined && { retryAfter: problem.retryAfter }),
  }
}
