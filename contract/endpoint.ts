import * as z from 'zod/mini'
import type { Text } from './language.ts'

/** Who may call: everyone, any logged-in user, admins (role ≥ 10), the super administrator (role ≥ 100). */
export type Access = 'public' | 'user' | 'admin' | 'root'

/** Who of a team may make a call for it: its owners, or all its members. */
export type TeamAccess = 'owners' | 'members'

/** Which counter a call draws on; the counters themselves are settings. */
export type RateClass = 'none' | 'api' | 'critical'

/**
 * `envelope`: `{ success, message, data }` around the output. `bare`: the output is the whole body.
 * `raw`: the handler answers with its own Response (a page, a stream, a redirect).
 */
export type Shape = 'envelope' | 'bare' | 'raw'

type Schema = z.ZodMiniType

export interface Endpoint<
  Q extends Schema = Schema,
  B extends Schema = Schema,
  O extends Schema = Schema,
  A extends Access = Access,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Hono-style path, written without a trailing slash; both forms are served. */
  readonly path: string
  readonly access: A
  /**
   * Who may make it for a team, which the header Tollgate-Team names; where it is not said, the header is not looked
   * at and the call is the person's own.
   */
  readonly team: TeamAccess | undefined
  readonly rate: RateClass
  /** Largest body in bytes; larger ones are cut off with 413 before they are read. */
  readonly bodyLimit: number
  /** True when it changes something: then the Origin check applies, whatever the method. */
  readonly changes: boolean
  /**
   * `session`: the cookie's owner must also send their id in New-Api-User. Off for pages that a browser
   * opens by address and for public calls.
   */
  readonly userHeader: boolean
  /** True when only who has logged in may call: a system access token, which a script may lose, is refused. */
  readonly sessionOnly: boolean
  /** True when callers on this machine or its private network need not log in. */
  readonly openNearby: boolean
  /**
   * True when what comes is a form, in the address or urlencoded in the body: the body is then its names and
   * values in pairs, as often as they were sent.
   */
  readonly form: boolean
  /**
   * The header with a signature over the body, where that is what proves the sender: the body is then its text
   * as it came, for the handler to believe or not.
   */
  readonly signedBy: string | undefined
  /** True when pages of any site may call it: what proves the caller is a key, and never a cookie. */
  readonly anyPage: boolean
  /** True when a caller may name it by the header Idempotency-Key: under one name it is done once. */
  readonly once: boolean
  readonly shape: Shape
  readonly summary: Text
  readonly query: Q
  readonly body: B
  readonly output: O
}

interface EndpointDefinition<Q extends Schema, B extends Schema, O extends Schema, A extends Access> {
  method: Endpoint['method']
  path: string
  access: A
  team?: TeamAccess
  rate?: RateClass
  bodyLimit?: number
  changes?: boolean
  userHeader?: boolean
  sessionOnly?: boolean
  openNearby?: boolean
  form?: boolean
  signedBy?: string
  anyPage?: boolean
  once?: boolean
  shape?: Shape
  summary: Text
  query?: Q
  body?: B
  output?: O
}

const KIB = 1024
export const IDEMPOTENCY_HEADER = 'Idempotency-Key'
/** The schema of what a call does not have. */
export const nothing = z.optional(z.unknown())
type Nothing = typeof nothing

export function endpoint<
  const A extends Access,
  Q extends Schema = Nothing,
  B extends Schema = Nothing,
  O extends Schema = Nothing,
>(definition: EndpointDefinition<Q, B, O, A>): Endpoint<Q, B, O, A> {
  return {
    team: undefined,
    rate: 'api',
    bodyLimit: definition.body ? 64 * KIB : 0,
    changes: definition.method !== 'GET',
    userHeader: definition.access !== 'public',
    sessionOnly: false,
    openNearby: false,
    form: false,
    signedBy: undefined,
    anyPage: false,
    once: false,
    shape: 'envelope',
    query: nothing as unknown as Q,
    body: nothing as unknown as B,
    output: nothing as unknown as O,
    ...definition,
  }
}

export type QueryOf<E extends Endpoint> = z.output<E['query']>
export type BodyOf<E extends Endpoint> = z.output<E['body']>
export type OutputOf<E extends Endpoint> = z.output<E['output']>
/** What a caller writes, before defaults are filled in. */
export type QueryInputOf<E extends Endpoint> = z.input<E['query']>
export type BodyInputOf<E extends Endpoint> = z.input<E['body']>
