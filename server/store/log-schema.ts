import type { Generated } from 'kysely'
import type { Flag, Quota, Seconds } from './column-types.ts'

export interface Logs {
  id: Generated<number>
  created_at: Seconds
  type: number
  user_id: number
  username: string
  token_id: number
  token_name: string
  model_name: string
  channel_id: number
  group: string
  is_stream: Flag
  use_time: number
  prompt_tokens: number
  completion_tokens: number
  quota: Quota
  /** What it cost the operator; null where that is not known, and where the charge was given back. */
  cost: Generated<Quota | null>
  /** What it was for, by commas (`contract/labels.ts`); null where nobody has said. */
  labels: Generated<string | null>
  request_id: string
  content: string
  other: string
}

export interface UsageHourly {
  hour: Seconds
  user_id: number
  token_id: number
  channel_id: number
  model_name: string
  group: string
  requests: number
  errors: number
  quota: Quota
  prompt_tokens: number
  completion_tokens: number
  /** What calls of known cost cost the operator, and what was charged for them. */
  cost: Generated<Quota>
  costed_quota: Generated<Quota>
}

/** What labelled calls came to, by all the labels of a call together: one call is in one row. */
export type UsageLabelsHourly = Omit<UsageHourly, 'channel_id' | 'model_name' | 'group'> & {
  labels: string
}

type Bucket = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11

/** How many answers took how long, in all and until their first content; see ledger/latency-buckets. */
export type UsageLatencyHourly = Pick<
  UsageHourly,
  'hour' | 'user_id' | 'token_id' | 'channel_id' | 'model_name' | 'group'
> &
  Record<`took_${Bucket}` | `first_${Bucket}`, number>

/** How often a UTC day has changed after it was over, or what it was charged for was given back. */
export interface ChangedDays {
  /** When it began. */
  day: Seconds
  changes: number
}

/** What a day that is over came to, as it was asked (`services/statistics/kept-days.ts`). */
export interface KeptDayRows {
  name: string
  starts_at: Seconds
  ends_at: Seconds
  /** How often the day had changed before it was added up: it is believed while that is so. */
  changes: number
  /** When somebody last had use for it, to the day. */
  seen_at: Seconds
  sums: string
  /** Of the sums. */
  bytes: Generated<number>
}

/** What was asked and answered in a call, by the id that its log row has; nobody reads it without the key. */
export interface LogContents {
  request_id: string
  user_id: number
  /** When the call began. */
  created_at: Seconds
  content_sealed: string
}

/** How far the log has been delivered to one place outside. */
export interface LogSinks {
  name: string
  /** The process that delivers, and when it last said so. */
  owner: Generated<string>
  seen_at: Generated<Seconds>
  /** The last number that has arrived, or that nobody wants there; all before it have too. */
  delivered_to: Generated<number>
  /** The last number of what is being sent, until that has arrived: what is sent again is the same. 0 for nothing. */
  sending_to: Generated<number>
  delivered_at: Generated<Seconds>
  /** How often in a row it failed, since when, and when it is tried again. */
  failures: Generated<number>
  failed_at: Generated<Seconds>
  retry_at: Generated<Seconds>
  /** When the operator was told that it fails; 0 while there is nothing to tell. */
  told_at: Generated<Seconds>
  /** Why it failed last: an error and its parameters as JSON, or blank. */
  problem: string
}
