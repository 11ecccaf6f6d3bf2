import { otherModelFields } from '../../../contract/other-models.ts'
import type { JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'

/** What is charged, and what may be asked for, is decided by these. */
const weighty = new Set<string>([
  ...otherModelFields,
  'background',
  'batch_size',
  'conversation',
  'data_sources',
  'enable_search',
  'input',
  'instructions',
  'messages',
  'model',
  'n',
  'num_images',
  'number_of_images',
  'plugins',
  'previous_response_id',
  'prompt',
  'quality',
  'search_options',
  'seconds',
  'sequential_image_generation',
  'sequential_image_generation_options',
  'service_tier',
  'size',
  'speed',
  'stream',
  'system',
  'tool_choice',
  'tools',
])
/** Besides them, what limits an answer. */
const limits = new Set(['max_completion_tokens', 'max_output_tokens', 'max_tokens'])
/** What holds are reckoned by, and what rules read. Google has capitals in its names. */
const alsoRead = [
  ...['commands', 'contents', 'documents', 'inference_geo', 'modalities'],
  ...['negative_prompt', 'prediction', 'query', 'suffix'],
  ...['candidate_count', 'candidateCount', 'generation_config', 'generationConfig', 'maxOutputTokens'],
  ...['responseModalities', 'response_modalities', 'serviceTier', 'systemInstruction', 'system_instruction'],
]
const usualName = /^[a-z0-9_]+$/

/** How each is spelled, by what readers make of it that do not mind capitals. */
const spellings = new Map([...weighty, ...limits, ...alsoRead].map(name => [name.toLowerCase(), name]))

/**
 * Some readers, all that are written in Go among them, take `Model` for `model`, and the last one that they meet:
 * such an upstream would do something else than what is looked at here.
 */
export function refuseOddNames(json: JsonObject): void {
  for (const name of Object.keys(json)) {
    const meant = spellings.get(usualName.test(name) ? name : name.toUpperCase().toLowerCase())
    if (meant !== undefined && meant !== name) refuseField(name.slice(0, 100), 'field.spelling', { meant })
  }
}

/** Whether money depends on a field, however it is spelled. */
export function isWeighty(name: string): boolean {
  const meant = name.toUpperCase().toLowerCase()
  return weighty.has(meant) || limits.has(meant)
}

/** Some take the first of two, some the last: what is paid for must be what is asked for. */
export function mayNameModelTwice(text: string): boolean {
  if (text.indexOf('"model"') !== text.lastIndexOf('"model"')) return true
  // Its letters may also be written as escapes.
  return text.includes('\\u006')
}
