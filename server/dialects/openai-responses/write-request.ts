import { askInstructions } from '../ask-instructions.ts'
import type { Target } from '../dialect.ts'
import type { JsonObject } from '../json.ts'
import type { Effort, NeutralRequest, Reasoning } from '../spec.ts'
import { isStrictSchema } from '../strict-schema.ts'
import { isOwnThought, writeInput } from './write-input.ts'
import { writeFormat, writeTool, writeToolChoice } from './write-tools.ts'

/** Longer ones are refused by the vendor; it is only a hint to its abuse checks, so they are left out. */
const LONGEST_USER = 64
/** Less is refused. */
const LEAST_OUTPUT = 16
const TIERS: readonly string[] = ['auto', 'default', 'flex', 'priority', 'fast', 'scale', 'ultrafast']
const VERBOSITIES: readonly string[] = ['low', 'medium', 'high']

/**
 * `topK`, the penalties, `seed` and cache marks have no field here and only tune how an answer is made: they
 * are dropped. Nor have stop strings: answers are cut at them.
 */
export function writeRequest(asked: NeutralRequest, target: Target): JsonObject {
  const request = askInstructions(asked)
  return omitAbsent({
    model: target.model,
    instructions: request.system.map(part => part.text).join('\n\n') || undefined,
    input: writeInput(request.messages),
    stream: target.stream,
    store: false,
    include: writeInclude(request),
    top_logprobs: request.logprobs || undefined,
    ...writeToolFields(request),
    temperature: request.temperature,
    top_p: request.topP,
    max_output_tokens: request.maxOutput && Math.max(LEAST_OUTPUT, request.maxOutput),
    reasoning: writeReasoningWish(request.reasoning),
    text: writeTextWish(request),
    safety_identifier: request.user && request.user.length <= LONGEST_USER ? request.user : undefined,
    prompt_cache_key: request.cacheKey,
    service_tier: writeTier(request.serviceTier),
  })
}

function writeToolFields(request: NeutralRequest): JsonObject {
  if (request.tools.length === 0) return {}
  return {
    tools: request.tools.map(tool => omitAbsent(writeTool(tool.type === 'function' ? loosen(tool) : tool))),
    tool_choice: request.toolChoice && writeToolChoice(request.toolChoice),
    parallel_tool_calls: request.parallelTools,
  }
}

/** A schema that cannot be kept to strictly is a 400, so it is aimed at instead. */
function loosen<
  T extends { readonly schema?: JsonObject | undefined; readonly strict?: boolean | undefined },
>(held: T): T {
  return held.strict && !isStrictSchema(held.schema ?? {}) ? { ...held, strict: false } : held
}

function writeInclude(request: NeutralRequest): string[] | undefined {
  const include: string[] = []
  if (wantsSealedReasoning(request)) include.push('reasoning.encrypted_content')
  if (request.logprobs !== undefined) include.push('message.output_text.logprobs')
  return include.length > 0 ? include : undefined
}

/** Models that do not reason refuse to be asked for it, so only when it plays a part. */
function wantsSealedReasoning(request: NeutralRequest): boolean {
  if (request.reasoning && findEffort(request.reasoning) !== 'none') return true
  return request.messages.some(message => message.parts.some(isOwnThought))
}

function writeReasoningWish(reasoning: Reasoning | undefined): JsonObject | undefined {
  if (!reasoning) return undefined
  const effort = findEffort(reasoning)
  const summary = reasoning.visible && effort !== 'none' ? 'auto' : undefined
  return effort || summary ? omitAbsent({ effort, summary }) : undefined
}

/** A budget of −1 leaves it to the model, as saying nothing does. */
function findEffort({ effort, budget }: Reasoning): Effort | undefined {
  if (effort || budget === undefined || budget < 0) return effort
  if (budget === 0) return 'none'
  if (budget <= 1024) return 'low'
  return budget <= 8192 ? 'medium' : 'high'
}

function writeTextWish(request: NeutralRequest): JsonObject | undefined {
  const { format: asked } = request
  const format = writeFormat(asked?.type === 'schema' ? loosen(asked) : asked)
  const verbosity = VERBOSITIES.find(each => each === request.verbosity)
  return format || verbosity ? omitAbsent({ format: format && omitAbsent(format), verbosity }) : undefined
}

function writeTier(tier: string | undefined): string | undefined {
  if (tier === 'standard' || tier === 'standard_only') return 'default'
  return TIERS.find(each => each === tier)
}

function omitAbsent(fields: JsonObject): JsonObject {
  for (const key of Object.keys(fields)) if (fields[key] === undefined) delete fields[key]
  return fields
}
