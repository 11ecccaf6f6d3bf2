import { TEAM_HEADER } from '../../contract/teams.ts'
import type { Client } from '../../test/client.ts'
import { quantile } from '../relay/client/quantile.ts'
import type { Call, Known, Who } from './calls/call.ts'
import { teamId } from './generate/spread.ts'
import type { SharedLoop } from './loop/share-loop.ts'

export interface Clients extends Readonly<Record<Who, Client>> {
  readonly known: Known
}

export interface Seen {
  /** The very first call after a start: nothing is in memory yet. */
  readonly first: number
  readonly p50: number
  readonly p95: number
  /** For how long at most the loop that relays was busy at one go, the very first call included. */
  readonly held: number
}

const CALLS = 40
const WARM_UP = 3
const TICK_MS = 5

/** One at a time; the first few, which compile and open, count apart. */
export async function timeCall(clients: Clients, call: Call, loop: SharedLoop): Promise<Seen> {
  const now = Math.floor(Date.now() / 1000)
  const times: number[] = []
  loop.takeLongest()
  const first = await timeOnce(clients, call, CALLS, now)
  for (let at = -WARM_UP; at < CALLS; at++) {
    const took = await timeOnce(clients, call, Math.abs(at), now)
    if (at >= 0) times.push(took)
  }
  // Its last tick comes a moment after the answer.
  await Bun.sleep(TICK_MS)
  return { first, p50: quantile(times, 0.5), p95: quantile(times, 0.95), held: loop.takeLongest() }
}

/** Milliseconds until the last byte. */
export async function timeOnce(clients: Clients, call: Call, at: number, now: number): Promise<number> {
  const path = call.path(at, now, clients.known)
  const began = performance.now()
  const response = await fetch(clients[call.as].url + path, request(clients, call, at))
  const text = await response.text()
  const took = performance.now() - began
  if (response.status !== 200 || text.startsWith('{"success":false'))
    throw new Error(`${path} answered ${response.status}: ${text.slice(0, 200)}`)
  return took
}

const forTeam: ReadonlySet<Who> = new Set(['owner', 'member', 'newcomer'])

function request(clients: Clients, { as, body }: Call, at: number): RequestInit {
  const headers = {
    ...headersOf(clients[as]),
    ...(forTeam.has(as) && { [TEAM_HEADER]: String(teamId) }),
  }
  if (!body) return { headers }
  const json = { ...headers, 'content-type': 'application/json' }
  return { method: 'POST', headers: json, body: JSON.stringify(body(at)) }
}

export function headersOf({ cookie = '', userId }: Client): Record<string, string> {
  return { cookie: `session=${cookie}`, 'new-api-user': String(userId) }
}
