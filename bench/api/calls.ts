import type { Call } from './calls/call.ts'
import { listCalls } from './calls/list-calls.ts'
import { logCalls } from './calls/log-calls.ts'
import { sumCalls } from './calls/sum-calls.ts'

/** Everything that reads a table which grows with use. */
export const calls: readonly Call[] = [...logCalls, ...sumCalls, ...listCalls]
