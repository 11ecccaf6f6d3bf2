import type { Generated } from 'kysely'
import type { Seconds } from './column-types.ts'

/** A file at an upstream, and whose it is. */
export interface Files {
  /** Ours, and the only one that clients see. Later ones are greater. */
  id: string
  user_id: number
  /** With which it was uploaded, or what made it ordered; 0 where that was not noted yet. */
  token_id: Generated<number>
  channel_id: number
  /** Of the key that it was uploaded with: other accounts do not know it. */
  key_hash: string
  upstream_id: string
  purpose: string
  filename: string
  bytes: number
  created_at: Seconds
  /** 0 when it stays. */
  expires_at: Seconds
  /** Of what batches are made of: where all its requests go, and for which model. '' for others. */
  endpoint: string
  model: string
  line_count: number
  /** The most tokens that all of them send, and that the longest of them does. */
  input_bound: number
  longest_input: number
  /** The most tokens of the answers that have a limit; how many answers there are, and how many have none. */
  output_bound: number
  answers: number
  open_answers: number
  has_media: number
  /** Whether one of them asks for thoughts. */
  thinks: number
}

/**
 * `submitting` until the upstream is known to have it, `running` until it is paid; `dropped` never ran. `abandoned` while
 * what is held for one that nobody waits for any more comes back.
 */
export type BatchState = 'submitting' | 'running' | 'abandoned' | 'ended' | 'dropped'

/** Many calls at once, at an upstream that takes a day for them. */
export interface Batches {
  /** Ours, and the only one that clients see. Later ones are greater. */
  id: string
  user_id: number
  token_id: number
  channel_id: number
  key_hash: string
  /** '' until the upstream has told it. */
  upstream_id: string
  /** Of `files`, or Gemini's; '' where the requests came with it. */
  file_id: string
  endpoint: string
  model: string
  /** In which it is paid. */
  group: string
  /** The hold that pays for it. */
  request_id: string
  /** Where its requests name several models: each with its price, in turn, as JSON. `model` is the first of them. */
  prices: string | null
  state: BatchState
  line_count: number
  input_bound: number
  completion_window: string
  /**
   * OpenAI's: the client's own, as JSON. Anthropic's: what the first request is called, in whose place our id went out.
   * Gemini's: its title.
   */
  metadata: string
  /** What the upstream told last, as JSON. */
  data: string
  /** Ours, when it has ended. */
  output_file_id: string
  error_file_id: string
  submitted_at: Seconds
  /** Since when the upstream does not know it, or its output; 0 while it does. */
  lost_at: Seconds
  /** When somebody looked. */
  checked_at: Seconds
  /** From when on any process may look. */
  next_poll_at: Seconds
  /** The turn that looks now, or ''. */
  claim: string
}
