import type { Transaction } from 'kysely'
import type { Json, JsonObject } from '../../dialects/json.ts'
import type { TokenUsage } from '../../dialects/spec.ts'
import type { AppError } from '../../errors.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { Schema } from '../../store/schema.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { Used } from './add-up-output.ts'
import type { BatchRow } from './batch-rows.ts'

/** What an upstream says of a batch. */
export interface BatchReport {
  readonly upstreamId: string
  /** In the upstream's own word. */
  readonly status: string
  readonly isOver: boolean
  /** Over, and as whoever ordered it wanted. */
  readonly isDone: boolean
  /** Nothing of it has begun. */
  readonly isQueued: boolean
  /** How many requests there are, and how many were answered. */
  readonly total: number
  readonly completed: number
  /** In all, where it says. */
  readonly usage: JsonObject | undefined
  /** Why it came to nothing, where it says. */
  readonly failReason: string
  /** In seconds; 0 when it does not say. */
  readonly startedAt: number
  /** What its owner may see: nothing that names it at its upstream. */
  readonly data: JsonObject
  /** The upstream's names for files that it made, where it makes files. */
  readonly outputFileId?: string | undefined
  readonly errorFileId?: string | undefined
  /** What was answered, or went wrong, where it tells that with the rest. */
  readonly answers?: readonly Json[] | undefined
}

/** What one line of the output says: undefined for a request that was not answered, which costs nothing. */
export interface Answered {
  readonly usage: TokenUsage | undefined
  /** Each is paid where calls have a price. */
  readonly answers: number
  /** Its vendor always counts: nought is a count too. */
  readonly isCounted?: true
  /** Of what was said, where that is not the whole line: it is counted by that if nobody else does. */
  readonly length?: () => number
  /** Which of the batch's models it asked, in their turn; the first where it has one. */
  readonly model?: number
}

/** What is written down of a batch when it ends. */
export type Last = Partial<Pick<BatchRow, 'data' | 'output_file_id' | 'error_file_id'>>

/** Who runs batches, and how it is asked after them. What they cost, and that it is paid once, is the room's. */
export interface BatchHost {
  readonly platform: string
  /** Whether a batch is in its form, by where its requests go. */
  readonly runs: (endpoint: string) => boolean
  /** What its owner hears of one that is not there. */
  readonly unknown: (id: string) => AppError
  /** Who has it, with the key of that account; undefined when the channel is gone. */
  readonly placeOf: (parts: RelayParts, batch: BatchRow) => Upstream | undefined
  readonly look: (upstream: Upstream, batch: BatchRow) => Promise<BatchReport | 'unknown'>
  /**
   * The same for one of which nobody has heard whether it was begun. Undefined when the upstream does not have it,
   * `doubtful` when that will be seen later.
   */
  readonly find: (
    parts: RelayParts,
    upstream: Upstream,
    batch: BatchRow,
  ) => Promise<BatchReport | 'doubtful' | undefined>
  /** Where its answers are read, one in each line, or all of them. `none`: nothing was answered; undefined: they are missing. */
  readonly openOutput: (
    upstream: Upstream,
    batch: BatchRow,
    report: BatchReport,
  ) => Promise<Response | readonly Json[] | 'none' | undefined>
  /** Whether every request that it counts as completed has an answer there: with fewer it was cut. */
  readonly tellsEach?: true
  readonly readAnswer: (batch: BatchRow, line: JsonObject) => Answered | undefined
  /** Whether what is answered has output that is paid. */
  readonly says: (batch: BatchRow) => boolean
  /** Usage of all of it together, as the upstream tells it. */
  readonly readSum?: (usage: JsonObject | undefined) => TokenUsage | undefined
  /** What else is written down with its end, in the same transaction. */
  readonly keepOutput: (
    transaction: Transaction<Schema>,
    parts: RelayParts,
    batch: BatchRow,
    report: BatchReport,
    used: Used,
  ) => Promise<Last>
  /** What its owner sees of one that came to nothing. */
  readonly failedData: (parts: RelayParts, batch: BatchRow, why: string) => string
}
