import type { Generated } from 'kysely'
import type { Quota, Seconds } from './column-types.ts'

/** A prompt that an account keeps, for its calls to name. */
export interface Prompts {
  id: Generated<number>
  user_id: number
  name: string
  /** The version in use, which is what `production` means. */
  version: number
  /** The last that was made; its number is never given again. */
  newest: number
  /** The member of a team who made it; 0 where the account is a person's own. */
  created_by: number
  created_at: Seconds
  updated_at: Seconds
}

/** Never changed once it is there. */
export interface PromptVersions {
  id: Generated<number>
  prompt_id: number
  version: number
  /** '' where callers name one. */
  model: string
  /** Messages and parameters, as JSON. */
  content: string
  /** Characters of `content`. */
  size: number
  note: string
  created_by: number
  created_at: Seconds
}

/** Where a label stands that is not `production`. */
export interface PromptLabels {
  prompt_id: number
  label: string
  version: number
}

/** That a label was moved, `production` too: what was released, by whom, and what was there before. */
export interface PromptReleases {
  id: Generated<number>
  prompt_id: number
  label: string
  /** 0 where it stood nowhere. */
  from_version: number
  /** 0 where it was taken off. */
  to_version: number
  created_by: number
  created_at: Seconds
}

/** What calls by a version came to, by the day (UTC). */
export interface PromptUsageDaily {
  prompt_id: number
  version: number
  day: Seconds
  requests: number
  errors: number
  quota: Quota
  prompt_tokens: number
  completion_tokens: number
}

/** The same of a team's, by the token of each call: its members see what came of their own. */
export interface PromptUsageByToken extends Omit<PromptUsageDaily, 'prompt_tokens' | 'completion_tokens'> {
  token_id: number
}
