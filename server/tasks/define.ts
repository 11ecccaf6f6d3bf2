import type { Json, JsonObject } from '../dialects/json.ts'
import type { Problem } from '../dialects/spec.ts'
import type { Admitted } from '../relay/callers/authorise.ts'
import type { Reading } from '../relay/guards/read-request.ts'
import type { RelayParts } from '../relay/parts.ts'
import type { Incoming } from '../relay/request/incoming.ts'
import type { Channel } from '../relay/routing/channel.ts'
import type { Upstream } from './ask-upstream.ts'

/** Where people look a task up: drawings have a book of their own. */
export type Book = 'drawings' | 'tasks'

/** What an upstream says of a task, in the words of its book. */
export interface TaskReport {
  readonly outcome: 'running' | 'done' | 'failed'
  readonly status: string
  /** A percent sign at its end. */
  readonly progress: string
  readonly failReason: string
  /** Milliseconds since 1970; 0 when it does not say. */
  readonly startedAt: number
  readonly finishedAt: number
  /** What it made, as its vendor tells it. */
  readonly data?: Json | undefined
  /** What only drawings have. */
  readonly drawing?: DrawingReport | undefined
}

/** `unknown`: the upstream says that it has no such task. Those that it says nothing of are left out. */
export type TaskReports = ReadonlyMap<string, TaskReport | 'unknown'>

export interface DrawingReport {
  readonly image_url?: string | undefined
  readonly prompt_en?: string | undefined
  readonly description?: string | undefined
  readonly buttons?: string | undefined
  readonly properties?: string | undefined
}

/** One request at one address of a provider. */
export interface TaskCall {
  readonly parts: RelayParts
  readonly incoming: Incoming
  /** Named groups of the path. */
  readonly params: Readonly<Record<string, string | undefined>>
}

/** The same, by someone whose key is good. */
export interface OwnedCall extends TaskCall {
  readonly admitted: Admitted
}

interface Address {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: RegExp
}

export type TaskRoute =
  | (Address & {
      readonly serve: (call: OwnedCall) => Promise<Response>
      /** Begins nothing that costs: also for a token that has nothing left. */
      readonly looks?: true | ((request: Request) => boolean)
      /** Its vendor is asked each time, for nothing: how often an address may is limited, as for the console's calls. */
      readonly isCounted?: true
    })
  /** Served without a key. */
  | (Address & { readonly serveAnyone: (call: TaskCall) => Promise<Response> })

/** How a vendor is spoken to. */
export interface TaskAccount {
  readonly channelTypes: readonly number[]
  /** '' when only the operator knows it. */
  readonly baseUrl: string
  readonly headers: (key: string, channel: Channel) => Record<string, string>
  /** Headers that prove who asks for exactly this, where the key does not go along. */
  readonly sign?: (key: string, request: SignedRequest) => Record<string, string>
  /** An answer that is no success. */
  readonly readRefusal: (status: number, body: unknown) => Problem
}

export interface SignedRequest {
  readonly method: string
  readonly url: string
  readonly body: string
  readonly type: string
}

/** Who does long jobs. */
export interface TaskVendor {
  readonly platform: string
  readonly routes: readonly TaskRoute[]
  /** An error in the words of its clients. */
  readonly refuse: (error: unknown, incoming: Incoming) => Response
}

/** One whose jobs have a price when they begin. Everything else (money, channels, time, records) is the room's. */
export interface TaskProvider extends TaskVendor {
  /** Each with channel types of its own. */
  readonly accounts: readonly TaskAccount[]
  readonly book: Book
  readonly limitSeconds: number
  readonly newId: () => string
  /** What became of tasks, by their upstream's ids. */
  readonly look: (upstream: Upstream, ids: readonly string[]) => Promise<TaskReports>
  /** How many it tells of in one answer. */
  readonly lookAtOnce: number
  /** The words that a job writes, and what it has made with what was done to them; absent: it writes none. */
  readonly words?: ((action: string, report: TaskReport) => Reading<TaskReport>) | undefined
  /** For the owner's log when the money comes back. */
  readonly refundText: (id: string, amount: string) => string
  /** What the owner's hook is told; absent: it has no hooks. */
  readonly tellHook?: ((parts: RelayParts, id: string) => Promise<JsonObject | undefined>) | undefined
}
