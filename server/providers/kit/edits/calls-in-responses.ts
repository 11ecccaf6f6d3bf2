import type { Calling } from '../../define.ts'
import { familyName, gptVersion, isResponsesOnly } from '../families/openai-names.ts'
import { openaiEffort } from './openai-efforts.ts'

const NEVER_WHILE_THINKING = 504
const THINKS_UNASKED = 505

/**
 * OpenAI's models that chat answers with 400 or 404: those that it does not serve there, and from 5.4 on those that are
 * to think and are offered functions. From 5.5 on they think unless they are told not to.
 */
export function callsInResponses(model: string, calling: Calling | undefined): boolean {
  const refuses = callsAskedInResponses(model, calling)
  return refuses || (calling === 'unsaid' && versionOf(model) >= THINKS_UNASKED)
}

/** The same where nobody is refused who leaves it to the model. */
export function callsAskedInResponses(model: string, calling: Calling | undefined): boolean {
  if (isResponsesOnly(model)) return true
  if (calling === undefined || calling === 'unsaid' || versionOf(model) < NEVER_WHILE_THINKING) return false
  // Not all of them can be kept from thinking.
  return calling === 'thinking' || openaiEffort('none', familyName(model)) !== 'none'
}

/** 0 for what does not think, or is none of these. */
function versionOf(model: string): number {
  const name = familyName(model)
  return name.includes('-chat') ? 0 : (gptVersion(name) ?? 0)
}
