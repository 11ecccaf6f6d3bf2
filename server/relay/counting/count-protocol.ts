import type { DialectName } from '../../dialects/spec.ts'

/** What the event loop and the counting thread say to each other. */
export type CountRequest =
  | { readonly id: number; readonly kind: 'texts'; readonly texts: readonly string[] }
  /** The next bytes of a stream; cut anywhere. `last` ends it, and the thread forgets it. */
  | {
      readonly id: number
      readonly kind: 'frames'
      readonly stream: number
      readonly dialect: DialectName
      /** How many answers it may hold. */
      readonly choices: number
      readonly bytes: Uint8Array
      readonly first: boolean
      readonly last: boolean
    }
  /** Has no reply. */
  | { readonly id: 0; readonly kind: 'forget'; readonly stream: number }

/** Tokens is null when they could not be counted: a reader failed, or the stream began in a thread now dead. */
export interface CountReply {
  readonly id: number
  readonly tokens: number | null
}
