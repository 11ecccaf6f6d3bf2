import type { Flag, Seconds } from './column-types.ts'

/** `running` until it is paid. */
export type BackgroundState = 'running' | 'ended'

/** A response that its upstream makes in the background. */
export interface BackgroundResponses {
  /** The hold that pays for it. */
  request_id: string
  /** The upstream's name for it, under which its client asks after it. */
  response_id: string
  user_id: number
  token_id: number
  channel_id: number
  /** Of the key that it was begun with: other accounts do not know it. */
  key_hash: string
  model: string
  /** In which it is paid. */
  group: string
  /** Whether its events can be had, also again. */
  streams: Flag
  state: BackgroundState
  /** What it is charged by and what its row in the log says, as JSON; '' when it has ended. */
  terms: string
  /** The number of the last event of it that clients have read, -1 before the first; and what they have read, in tokens. */
  seen_to: number
  seen_tokens: number
  submitted_at: Seconds
  /** Since when the upstream does not know it; 0 while it does. */
  lost_at: Seconds
  /** From when on any process may ask after it. */
  next_poll_at: Seconds
}
