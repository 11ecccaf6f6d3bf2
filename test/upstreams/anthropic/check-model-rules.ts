import {
  asArray,
  asNumber,
  asObject,
  asText,
  isObject,
  type JsonObject,
} from '../../../server/dialects/json.ts'
import type { Call } from '../upstream.ts'
import { refuseAnthropic } from './fail.ts'
import { type ModelRules, rulesOf } from './model-rules.ts'

const DOCS =
  'Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking'

export function checkModelRules(call: Call, model: string): void {
  const rules = rulesOf(model)
  const { body } = call
  checkThinking(body, rules)
  checkSampling(body, rules)
  checkChoice(body, rules)
  checkOutput(body, rules)
  for (const [at, one] of asArray(body.tools).entries()) {
    const tool = asObject(one)
    if (tool?.strict === true) checkClosedSchema(asObject(tool.input_schema) ?? {}, `tools.${at}.custom`)
  }
}

export function thinks(body: JsonObject, rules: ModelRules): boolean {
  const type = asText(asObject(body.thinking)?.type)
  if (type === undefined) return rules.thinksByDefault
  return type === 'enabled' || type === 'adaptive'
}

function checkThinking(body: JsonObject, rules: ModelRules): void {
  const thinking = asObject(body.thinking)
  const type = asText(thinking?.type)
  if (thinking === undefined || type === undefined) return
  if (!rules.thinking.includes(type)) {
    if (type === 'enabled')
      refuseAnthropic(
        '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
      )
    refuseAnthropic(`"thinking.type.${type}" is not supported for this model.`)
  }
  const effort = asText(asObject(body.output_config)?.effort)
  if (type === 'disabled' && rules.thinksByDefault && (effort === 'xhigh' || effort === 'max'))
    refuseAnthropic(`"thinking.type.disabled" is not supported with effort "${effort}".`)
  if (type !== 'enabled') {
    if (thinking.budget_tokens !== undefined)
      refuseAnthropic(`thinking.${type}.budget_tokens: Extra inputs are not permitted`)
    return
  }
  const budget = asNumber(thinking.budget_tokens)
  if (budget === undefined) refuseAnthropic('thinking.enabled.budget_tokens: Field required')
  if (budget < 1024)
    refuseAnthropic('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024')
  if (typeof body.max_tokens === 'number' && budget >= body.max_tokens)
    refuseAnthropic(`\`max_tokens\` must be greater than \`thinking.budget_tokens\`. ${DOCS}`)
}

function checkSampling(body: JsonObject, rules: ModelRules): void {
  const { temperature, top_p: topP, top_k: topK } = body
  if (!rules.samples) {
    if (temperature !== undefined && temperature !== 1)
      refuseAnthropic('`temperature` is deprecated for this model.')
    if (typeof topP === 'number' && topP < 0.99) refuseAnthropic('`top_p` is deprecated for this model.')
    if (topK !== undefined) refuseAnthropic('`top_k` is deprecated for this model.')
    return
  }
  if (rules.oneSampler && temperature !== undefined && topP !== undefined)
    refuseAnthropic('`temperature` and `top_p` cannot both be specified for this model. Please use only one.')
  if (!thinks(body, rules)) return
  if (temperature !== undefined && temperature !== 1)
    refuseAnthropic(
      `\`temperature\` may only be set to 1 when thinking is enabled or in adaptive mode. ${DOCS}`,
    )
  if (topK !== undefined) refuseAnthropic(`\`top_k\` must be unset when thinking is enabled. ${DOCS}`)
  if (typeof topP === 'number' && topP < 0.95)
    refuseAnthropic(
      `\`top_p\` must be greater than or equal to 0.95 or unset when thinking is enabled. ${DOCS}`,
    )
}

function checkChoice(body: JsonObject, rules: ModelRules): void {
  const type = asText(asObject(body.tool_choice)?.type)
  if (type !== 'any' && type !== 'tool') return
  if (!rules.forces) refuseAnthropic(`tool_choice.type: "${type}" is not supported for this model.`)
  if (asObject(body.thinking)?.type === 'enabled')
    refuseAnthropic('Thinking may not be enabled when tool_choice forces tool use.')
}

function checkOutput(body: JsonObject, rules: ModelRules): void {
  const output = asObject(body.output_config)
  const effort = asText(output?.effort)
  if (effort !== undefined && rules.efforts.length === 0)
    refuseAnthropic('This model does not support the effort parameter.')
  if (effort !== undefined && !rules.efforts.includes(effort))
    refuseAnthropic(
      `output_config.effort: Input should be ${rules.efforts.map(one => `'${one}'`).join(', ')}`,
    )
  const format = asObject(output?.format)
  if (format === undefined) return
  if (!rules.schemas)
    refuseAnthropic('output_config.format: Structured outputs are not supported for this model.')
  if (format.type !== 'json_schema')
    refuseAnthropic("output_config.format.type: Input should be 'json_schema'")
  const schema = asObject(format.schema)
  if (schema === undefined) refuseAnthropic('output_config.format.schema: Field required')
  checkClosedSchema(schema, 'output_config.format.schema')
}

const LIMITS: Readonly<Record<string, readonly string[]>> = {
  object: ['minProperties', 'maxProperties'],
  array: ['maxItems', 'uniqueItems'],
  string: ['minLength', 'maxLength'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
}

/** The part of JSON Schema that answers and strict tools can be held to. */
function checkClosedSchema(schema: JsonObject, where: string): void {
  for (const type of [schema.type].flat().map(asText)) {
    if (type === 'object' && schema.additionalProperties !== false)
      refuseAnthropic(`${where}: For 'object' type, 'additionalProperties' must be explicitly set to false`)
    const limits = LIMITS[type ?? '']?.filter(name => schema[name] !== undefined) ?? []
    if (limits.length > 0)
      refuseAnthropic(`${where}: For '${type}' type, properties ${limits.join(', ')} are not supported`)
    if (type === 'array' && schema.minItems !== undefined && Number(schema.minItems) > 1)
      refuseAnthropic(`${where}: For 'array' type, 'minItems' values other than 0 or 1 are not supported`)
  }
  const inner = [
    ...[schema.properties, schema.$defs, schema.definitions].flatMap(map =>
      Object.values(asObject(map) ?? {}),
    ),
    ...[schema.anyOf, schema.allOf, schema.oneOf].flatMap(asArray),
    schema.items,
  ]
  for (const each of inner) if (isObject(each)) checkClosedSchema(each, where)
}
