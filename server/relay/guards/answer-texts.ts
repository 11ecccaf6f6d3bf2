import { isCall } from '../../dialects/gemini-interactions/read-answer.ts'
import { asArray, asObject, isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import type { DialectName } from '../../dialects/spec.ts'
import { type TextPlace, textsOfData, textsOfJson } from '../request/spoken-texts.ts'

/**
 * Every text of a whole answer in its client's dialect: what is said, thought and declined, and what tools are called
 * with. Of likelihoods, which repeat the text, nothing is left where it is changed.
 */
export function textsOfAnswer(dialect: DialectName, body: JsonObject): TextPlace[] {
  switch (dialect) {
    case 'openai-chat':
      return asArray(body.choices).flatMap(choice => textsOfChoice(asObject(choice) ?? {}))
    case 'openai-responses':
      return asArray(body.output).flatMap(item => textsOfItem(asObject(item) ?? {}))
    case 'anthropic':
      return asArray(body.content).flatMap(block => textsOfBlock(asObject(block) ?? {}))
    case 'gemini':
      return asArray(body.candidates).flatMap(candidate => textsOfCandidate(asObject(candidate) ?? {}))
    case 'gemini-interactions':
      return asArray(body.steps).flatMap(step => textsOfStep(asObject(step) ?? {}))
  }
}

/** The text in a field; `stale` are the fields that no longer fit when it is changed. */
export function placeOf(
  holder: JsonObject,
  key: string,
  stale: { readonly of: JsonObject; readonly key: string } | undefined = undefined,
): TextPlace[] {
  const text = holder[key]
  if (typeof text !== 'string') return []
  return [
    {
      text,
      put(masked) {
        holder[key] = masked
        if (stale && stale.key in stale.of) stale.of[stale.key] = null
      },
    },
  ]
}

/** Of chat, and of completions, whose text stands in the choice itself. */
function textsOfChoice(choice: JsonObject): TextPlace[] {
  const message = asObject(choice.message) ?? {}
  const stale = { of: choice, key: 'logprobs' }
  return [
    ...placeOf(choice, 'text', stale),
    ...placeOf(message, 'content', stale),
    ...textsOfParts(message.content),
    ...textsOfSound(message.audio),
    ...['reasoning_content', 'reasoning', 'refusal'].flatMap(key => placeOf(message, key)),
    ...asArray(message.reasoning_details).flatMap(detail => (isObject(detail) ? textsOfDetail(detail) : [])),
    ...asArray(message.tool_calls).flatMap(call => textsOfCall(asObject(call) ?? {})),
    ...argumentsOf(asObject(message.function_call)),
  ]
}

/** Content in pieces, among them thoughts, as some vendors send it. */
export function textsOfParts(content: Json | undefined): TextPlace[] {
  return asArray(content).flatMap(part => {
    if (!isObject(part)) return []
    return [...placeOf(part, 'text'), ...placeOf(part, 'thinking'), ...textsOfParts(part.thinking)]
  })
}

/** What is spoken, written down. */
export function textsOfSound(audio: Json | undefined): TextPlace[] {
  return isObject(audio) ? placeOf(audio, 'transcript') : []
}

export function textsOfDetail(detail: JsonObject): TextPlace[] {
  return ['text', 'summary'].flatMap(key => placeOf(detail, key))
}

function textsOfCall(call: JsonObject): TextPlace[] {
  const custom = asObject(call.custom)
  return [...argumentsOf(asObject(call.function)), ...(custom ? placeOf(custom, 'input') : [])]
}

function argumentsOf(called: JsonObject | undefined): TextPlace[] {
  const text = called?.arguments
  if (!called || typeof text !== 'string') return []
  return textsOfJson(text, masked => {
    called.arguments = masked
  })
}

export function textsOfItem(item: JsonObject): TextPlace[] {
  const { type } = item
  const parts: readonly Json[] = [...asArray(item.content), ...asArray(item.summary)]
  return [
    ...parts.flatMap(part => (isObject(part) ? textsOfPart(part) : [])),
    ...(type === 'function_call' || type === 'mcp_call' ? argumentsOf(item) : []),
    ...(type === 'custom_tool_call' ? placeOf(item, 'input') : []),
    ...(type === 'image_generation_call' ? placeOf(item, 'revised_prompt') : []),
  ]
}

export function textsOfPart(part: JsonObject): TextPlace[] {
  return [...placeOf(part, 'text', { of: part, key: 'logprobs' }), ...placeOf(part, 'refusal')]
}

const callingBlocks: ReadonlySet<Json | undefined> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use'])

function textsOfBlock(block: JsonObject): TextPlace[] {
  return [
    ...placeOf(block, 'text'),
    ...placeOf(block, 'thinking'),
    ...(callingBlocks.has(block.type) ? textsOfData(block.input, block, 'input') : []),
  ]
}

function textsOfCandidate(candidate: JsonObject): TextPlace[] {
  const stale = { of: candidate, key: 'logprobsResult' }
  return asArray(asObject(candidate.content)?.parts).flatMap(part => {
    if (!isObject(part)) return []
    const call = asObject(part.functionCall)
    return [...placeOf(part, 'text', stale), ...(call ? textsOfData(call.args, call, 'args') : [])]
  })
}

/** Of an interaction: what is said and thought in a step, and what a tool is called with in one. */
export function textsOfStep(step: JsonObject): TextPlace[] {
  const said = [...asArray(step.content), ...asArray(step.summary)]
  return [
    ...said.flatMap(content => (isObject(content) ? placeOf(content, 'text') : [])),
    ...(isCall(step) ? textsOfData(step.arguments, step, 'arguments') : []),
  ]
}
