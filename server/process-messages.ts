import type { MetricFamily } from './metrics.ts'

/** What a worker tells its supervisor. */
export type FromWorker =
  | {
      kind: 'ready'
      port: number
      setupToken: string | undefined
      migrated: readonly string[]
      /** Its name in the books, for whoever comes in its place. */
      node: string
    }
  /** Its loop turns: the answer to `there`. */
  | { kind: 'here' }
  | { kind: 'changed'; topic: string }
  | CancelledCall
  | { kind: 'metrics-wanted'; id: number }
  | { kind: 'metrics'; id: number; families: readonly MetricFamily[] }

/** What the supervisor tells a worker. */
export type ToWorker =
  /** It was told to end already: what is under way is cut off. */
  | { kind: 'hurry' }
  /** Is it there? */
  | { kind: 'there' }
  | { kind: 'changed'; topic: string }
  | CancelledCall
  | { kind: 'metrics-wanted'; id: number }
  | { kind: 'all-metrics'; id: number; text: string }

/** A client of the MCP gateway has cancelled a call that another worker may have under way. */
interface CancelledCall {
  kind: 'mcp-cancelled'
  call: string
}

/** Exit codes that mean starting again will not help. The last is only for the program itself to hear. */
export const exitCodes = { configuration: 78, databaseDown: 69, otherSecretKey: 65 } as const

/**
 * What is under way gets this long to finish after SIGTERM, what is cut off then so long to be charged, and a
 * collector of spans so long to take the last of them.
 * Together less than the 90 seconds after which service managers kill.
 */
export const endTimes = { finishMs: 70_000, settleMs: 12_000, tellMs: 2000, killMs: 85_000 } as const
