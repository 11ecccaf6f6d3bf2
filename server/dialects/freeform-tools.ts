import { asObject, asText, type JsonObject, parseObject } from './json.ts'
import type { NeutralRequest, Tool } from './spec.ts'

// OpenAI's custom tools take a text instead of an object. No other vendor knows such: to them it is a function
// with one field, and a grammar that the text is to follow is told in words.

const SCHEMA = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
}

export function makeFreeform(
  name: string,
  description: string | undefined,
  format: JsonObject | undefined,
): Extract<Tool, { type: 'function' }> {
  const told = [description ?? '', describeGrammar(format)].filter(text => text !== '').join('\n\n')
  return {
    type: 'function',
    name,
    ...(told !== '' && { description: told }),
    schema: SCHEMA,
    freeform: { ...(description !== undefined && { description }), format: format ?? { type: 'text' } },
  }
}

/** Chat has it in a field of its own, Responses has not. */
function describeGrammar(format: JsonObject | undefined): string {
  const grammar = asObject(format?.grammar) ?? format
  const definition = asText(grammar?.definition)
  if (definition === undefined) return ''
  return `The input must follow this grammar (${asText(grammar?.syntax) ?? 'lark'}):\n${definition}`
}

export function wrapText(text: string): string {
  return JSON.stringify({ input: text })
}

/** What does not come as it should is handed on as it is. */
export function unwrapText(json: string): string {
  return asText(parseObject(json)?.input) ?? json
}

/** Whether there may be calls that are no mere function's: an answer of their own dialect is not written anew. */
export function hasOwnCalls({ tools }: NeutralRequest): boolean {
  return tools.some(tool => tool.type === 'function' && (tool.freeform || tool.findsTools))
}

export function freeformNames({ tools }: NeutralRequest): ReadonlySet<string> {
  const names = new Set<string>()
  for (const tool of tools) if (tool.type === 'function' && tool.freeform) names.add(tool.name)
  return names
}
