import type { Generated } from 'kysely'
import type { Seconds } from './column-types.ts'

/** A prompt that an account keeps, for its calls to name. */
export interface Prompts {
  id: Generated<number>
  user_id: number
  name: string
  /** The version in use. */
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
