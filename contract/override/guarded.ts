import { otherModelFields } from '../other-models.ts'
import type { Path } from './path.ts'

// What a call costs is reckoned from what its client has asked for. Operations look at what strangers send, so they
// are kept from whatever that reckoning rests on.

/** Put back as they were, whatever operations do to the object that they are in. */
export const fixedNames = [
  'model',
  'agent',
  'stream',
  'background',
  'n',
  'best_of',
  'batch_size',
  'num_images',
  'num_outputs',
  'number_of_images',
  'partial_images',
] as const

/** Where Google has its own. */
export const configNames = ['generationConfig', 'generation_config'] as const
export const configFixed = ['candidateCount', 'candidate_count'] as const

/** The most that an answer may be, in anybody's words: it may be renamed and made smaller. */
export const limitNames = [
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'maxOutputTokens',
  'max_new_tokens',
  'max_tokens_to_sample',
] as const

/** What vendors ask more for, or what somebody else may have left with them: the operator's own word, or nothing. */
const ownWordOnly = new Set<string>([
  ...otherModelFields,
  'tools',
  'tool_choice',
  'service_tier',
  'serviceTier',
  'speed',
  'plugins',
  'web_search_options',
  'enable_search',
  'search_options',
  'inference_geo',
  'modalities',
  'size',
  'quality',
  'previous_response_id',
  'previous_interaction_id',
  'conversation',
  'cachedContent',
  'cached_content',
])
const ownWords = new Set(['set', 'delete', 'append', 'prepend', 'prune_objects'])

const fixed: ReadonlySet<string> = new Set([...fixedNames, ...configFixed])
const limits: ReadonlySet<string> = new Set(limitNames)

/** Whether an operation may write there. */
export function mayChange(mode: string, path: Path): boolean {
  const [root = '', second = ''] = path
  if (root === '*' || fixed.has(root)) return false
  const isConfig = configNames.some(name => name === root)
  if (isConfig && (second === '*' || fixed.has(second))) return false
  if (mode === 'delete' && isLimit(path)) return false
  return !ownWordOnly.has(root) || ownWords.has(mode)
}

export function isLimit(path: Path): boolean {
  const [root = '', second = ''] = path
  if (path.length === 1) return limits.has(root)
  return path.length === 2 && configNames.some(name => name === root) && limits.has(second)
}
