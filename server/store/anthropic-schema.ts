import type { Flag, Seconds } from './column-types.ts'

/** A file at an Anthropic account, and whose it is. */
export interface AnthropicFiles {
  /** Ours. Later ones are greater: lists go by that. */
  mark: string
  /** The vendor's, by which its answers tell it too. */
  id: string
  user_id: number
  token_id: number
  channel_id: number
  /** Of the key that it was uploaded with, or made: other accounts do not know it. */
  key_hash: string
  /** Uploaded, rather than made by a tool for an answer. */
  is_uploaded: Flag
  bytes: number
  created_at: Seconds
  /** 0: it stays until it is deleted. */
  expires_at: Seconds
  /** What the vendor told last, as JSON; '' until it was asked. */
  data: string
}
