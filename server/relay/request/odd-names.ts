import { otherModelFields } from '../../../contract/other-models.ts'
import { asArray, asObject, type JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'

/** What is charged, and what may be asked for, is decided by these. */
const weighty = new Set<string>([
  ...otherModelFields,
  'background',
  'batch_size',
  'conversation',
  'data_sources',
  // By which xAI's answer is made when nobody hears of it any more.
  'deferred',
  'enable_search',
  'input',
  'instructions',
  'messages',
  'model',
  'n',
  'num_images',
  'num_outputs',
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
  // A stream whose usage is not told costs what can be seen of it alone.
  'stream_options',
  'system',
  'thread',
  'tool_choice',
  'tools',
])
/** Besides them, what limits an answer. */
const limits = new Set(['max_completion_tokens', 'max_output_tokens', 'max_tokens'])
/** What holds are reckoned by, and what rules read. Google has capitals in its names. */
const alsoRead = [
  ...['best_of', 'commands', 'contents', 'documents', 'extra_body', 'inference_geo', 'modalities'],
  ...['negative_prompt', 'partial_images', 'prediction', 'query', 'suffix', 'web_search_options'],
  ...['candidate_count', 'candidateCount', 'generation_config', 'generationConfig', 'maxOutputTokens'],
  ...[
    'bbox_annotation_format',
    'document',
    'document_annotation_format',
    'document_annotation_prompt',
    'pages',
  ],
  ...['max_results', 'search_depth', 'search_tool_name'],
  ...['responseModalities', 'response_modalities', 'serviceTier', 'systemInstruction', 'system_instruction'],
]
const usualName = /^[a-z0-9_]+$/

/** How each is spelled, by what readers make of it that do not mind capitals. */
const spellings = spelled([...weighty, ...limits, ...alsoRead])
/** The same of what is inside of some of them. */
const inner = Object.entries({
  stream_options: ['include_usage'],
  sequential_image_generation_options: ['max_images'],
  tools: ['type'],
}).map(([field, names]) => [field, spelled(names)] as const)

/**
 * Some readers, all that are written in Go among them, take `Model` for `model`, and the last one that they meet:
 * such an upstream would do something else than what is looked at here.
 */
export function refuseOddNames(json: JsonObject): void {
  refuseMisspelled(json, spellings)
  for (const [field, names] of inner) {
    const value = json[field]
    if (Array.isArray(value)) for (const one of asArray(value)) refuseMisspelled(asObject(one), names)
    else if (value) refuseMisspelled(asObject(value), names)
  }
}

export function refuseMisspelled(json: JsonObject | undefined, known: ReadonlyMap<string, string>): void {
  for (const name in json) {
    const meant = known.get(plainName(name))
    if (meant !== undefined && meant !== name) refuseField(name.slice(0, 100), 'field.spelling', { meant })
  }
}

/** How a name is spelled that decides something, whatever has become of it; undefined for any other. */
export function meantBy(name: string): string | undefined {
  return spellings.get(plainName(name))
}

function plainName(name: string): string {
  return usualName.test(name) ? name : name.toUpperCase().toLowerCase()
}

/** Names, each by what such readers make of it. */
export function spelled(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map(name => [name.toLowerCase(), name]))
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
