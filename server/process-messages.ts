import type { MetricFamily } from './metrics.ts'

/** What a worker tells its supervisor. */
export type FromWorker =
  | { kind: 'ready'; port: number; setupToken: string | undefined; migrated: readonly string[] }
  | { kind: 'changed'; topic: string }
  | { kind: 'metrics-wanted'; id: number }
  | { kind: 'metrics'; id: number; families: readonly MetricFamily[] }

/** What the supervisor tells a worker. */
export type ToWorker =
  | { kind: 'changed'; topic: string }
  | { kind: 'metrics-wanted'; id: number }
  | { kind: 'all-metrics'; id: number; text: string }

/** Exit codes that mean starting again will not help. */
export const exitCodes = { configuration: 78, databaseDown: 69 } as const
