import { askInstructions } from '../ask-instructions.ts'
import type { Target } from '../dialect.ts'
import type { JsonObject } from '../json.ts'
import type { Format, NeutralRequest, TextPart } from '../spec.ts'
import { CacheMarks } from './cache-marks.ts'
import { closeSchema } from './close-schema.ts'
import { findModelRules, type ModelRules } from './model-rules.ts'
import { writeTextBlock } from './write-blocks.ts'
import { mayTakeUpThinking, writeConversation } from './write-messages.ts'
import { planThinking, type ThinkingPlan } from './write-thinking.ts'
import { writeToolChoice, writeTools } from './write-tools.ts'

/**
 * Penalties, seed, verbosity and the cache key have no counterpart and are left out: they steer an answer but
 * no answer is wrong without them.
 */
export function writeRequest(asked: NeutralRequest, target: Target): JsonObject {
  const request = askInstructions(asked)
  const rules = findModelRules(target.model)
  const marks = new CacheMarks()
  const tools = writeTools(request, rules, marks)
  const system = request.system.flatMap(part => writeTextBlock(part, marks))
  const { turns, movedSystem } = writeConversation(request.messages, rules, marks)
  const plan = planThinking(
    request.reasoning,
    request.maxOutput,
    rules,
    !rules.isClaude || mayTakeUpThinking(turns),
    target.stream,
  )
  const force = writeToolChoice(request, rules, plan.on)
  const schema = findSchema(request.format, rules)
  system.push(
    ...[...movedSystem, ...instruct(force.instruction), ...instructFormat(request.format, schema)].flatMap(
      part => writeTextBlock(part, marks),
    ),
  )
  marks.keepLast()
  return {
    model: target.model,
    max_tokens: plan.maxTokens,
    stream: target.stream ? true : undefined,
    system: system.length > 0 ? system : undefined,
    messages: turns.map(turn => ({ role: turn.role, content: [...turn.content] })),
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: force.choice,
    thinking: plan.thinking,
    output_config: writeOutputConfig(schema, plan),
    ...writeSampling(request, plan, rules),
    stop_sequences: writeStop(request.stop),
    metadata: request.user === undefined ? undefined : { user_id: request.user },
    service_tier: writeTier(request.serviceTier),
  }
}

function instruct(text: string | undefined): readonly TextPart[] {
  return text === undefined ? [] : [{ type: 'text', text }]
}

/** The schema that the model itself is held to, where it can be. */
function findSchema(format: Format | undefined, rules: ModelRules): JsonObject | undefined {
  return format?.type === 'schema' && rules.schemas ? closeSchema(format.schema) : undefined
}

/** A model that is not held to a schema is told in words: a forced tool would change the answer's form. */
function instructFormat(format: Format | undefined, heldTo: JsonObject | undefined): readonly TextPart[] {
  if (format === undefined || heldTo !== undefined) return []
  const bare = 'and nothing else: no prose around it, no code fence.'
  if (format.type === 'json') return instruct(`Answer with one valid JSON object ${bare}`)
  const schema = JSON.stringify(format.schema)
  return instruct(`Answer with one JSON value that matches the JSON Schema below ${bare}\n${schema}`)
}

function writeOutputConfig(schema: JsonObject | undefined, plan: ThinkingPlan): JsonObject | undefined {
  if (plan.effort === undefined && schema === undefined) return undefined
  return { effort: plan.effort, format: schema && { type: 'json_schema', schema } }
}

function writeSampling(request: NeutralRequest, plan: ThinkingPlan, rules: ModelRules): JsonObject {
  // With thinking on, anything but the defaults is a 400.
  if (rules.sampling === 'none' || plan.on) return {}
  const temperature = clampShare(request.temperature)
  const both = temperature !== undefined && rules.sampling === 'one'
  return { temperature, top_p: both ? undefined : clampShare(request.topP), top_k: request.topK }
}

function clampShare(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.min(1, Math.max(0, value))
}

/** Blank ones are a 400. */
export function isTakenStop(stop: string): boolean {
  return stop.trim() !== ''
}

function writeStop(stop: readonly string[] | undefined): string[] | undefined {
  const kept = stop?.filter(isTakenStop) ?? []
  return kept.length > 0 ? kept : undefined
}

function writeTier(tier: string | undefined): string | undefined {
  switch (tier) {
    case 'auto':
    case 'priority':
      return 'auto'
    case 'default':
    case 'standard_only':
      return 'standard_only'
    default:
      return undefined
  }
}
