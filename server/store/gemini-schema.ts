import type { Flag, Seconds } from './column-types.ts'

/** A file at a Gemini account, and whose it is. */
export interface GeminiFiles {
  /** Later ones are greater: lists go by that. */
  id: string
  user_id: number
  token_id: number
  /** What stands behind `files/`, for its owner alone: others may have one of the same name. */
  name: string
  channel_id: number
  /** Of the key that it was uploaded with: other accounts do not know it. */
  key_hash: string
  /** Of what whoever goes on with the upload has to know. */
  upload_hash: string
  /** Where that goes on at the upstream, sealed. */
  upload_sealed: string
  /** '' until all of it is there. */
  upstream_name: string
  /** As it was announced. */
  bytes: number
  created_at: Seconds
  expires_at: Seconds
  /** What the upstream told last, as JSON. */
  data: string
  /** Of one that is all requests: how far they have been read, and the most that they can use. Sealed. */
  requests: string | null
}

/** `making` until its vendor is known to have it and it is paid, `extending` until a longer life is. */
export type GeminiCacheState = 'making' | 'kept' | 'extending'

/** What a Gemini account keeps to be named at the beginning of later prompts. */
export interface GeminiCaches {
  /** What stands behind `cachedContents/`, and the only name that clients see. Later ones are greater. */
  id: string
  user_id: number
  /** By which it was made: in a team it is its maker's, whoever makes it last longer. */
  made_by: number
  /** Which pays for what is under way, or paid for what was last. */
  token_id: number
  /** 0 until a channel is asked. */
  channel_id: number
  key_hash: string
  /** '' until the vendor has told it. */
  upstream_name: string
  /** As its owner names it. */
  model: string
  /** In which it is paid. */
  group: string
  title: string
  state: GeminiCacheState
  /** The hold that pays for what is under way, or paid for what was last. */
  request_id: string
  /** Dollars for a million tokens and an hour, as a decimal. */
  storage_price: string
  has_sound: Flag
  /** As the vendor counts them; the most that they can be until it has. */
  tokens: number
  created_at: Seconds
  /** When what is under way began, or somebody last looked how it stands. */
  changed_at: Seconds
  expires_at: Seconds
  /** Until when its storage is paid, and until when it will be. */
  paid_until: Seconds
  wanted_until: Seconds
}
