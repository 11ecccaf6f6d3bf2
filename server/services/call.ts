import type { Access, BodyOf, Endpoint, OutputOf, QueryOf } from '../../contract/endpoint.ts'
import type { EndpointName, Endpoints } from '../../contract/index.ts'
import type { Language } from '../../contract/language.ts'

/** Who is calling, as the database has it at this moment. */
export interface Caller {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly status: number
  readonly group: string
  readonly via: 'session' | 'access-token'
  /** Set where the call is made for a team: all that is above is then the team's, and this says by whom. */
  readonly acting?: Acting | undefined
}

export interface Acting {
  readonly person: { readonly id: number; readonly username: string }
  readonly isOwner: boolean
}

/** A cookie of this call, to read or to replace; once replaced, it reads as what replaced it. */
export interface SessionCookie {
  readonly token: string | undefined
  set(token: string): void
  clear(): void
}

/** One call as a service sees it: nothing of HTTP but what it must know. */
export interface Call<Q, B, C> {
  readonly query: Q
  readonly body: B
  readonly params: Readonly<Record<string, string>>
  readonly caller: C
  readonly language: Language
  readonly address: string
  readonly userAgent: string
  /** For the one call that a model token proves; everywhere else the caller is known by then. */
  readonly authorization: string | null
  /** Over the body, for calls that are proven by one. */
  readonly signature: string | null
  /** The caller's own name for it, for calls that are done once under one. */
  readonly idempotencyKey?: string | null | undefined
  readonly session: SessionCookie
  /** Tells this browser from others while it is away at a third party to sign in. */
  readonly browser: SessionCookie
}

type CallerOf<A extends Access> = A extends 'public' ? undefined : Caller
export type CallOf<E extends Endpoint> = Call<QueryOf<E>, BodyOf<E>, CallerOf<E['access']>>
export type Handler<E extends Endpoint> = (call: CallOf<E>) => OutputOf<E> | Promise<OutputOf<E>>

/** Handlers by endpoint name; a part of the table, which `http/` puts together into the whole. */
export type Handlers<N extends EndpointName> = { readonly [K in N]: Handler<Endpoints[K]> }
