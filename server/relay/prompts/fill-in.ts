import type { PromptMessage } from '../../../contract/prompts.ts'
import { asLongNumber, isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import type { Prompt, Template } from './library.ts'
import type { Reference } from './read-reference.ts'

/** Characters of a prompt with its variables: more than any model reads. */
const LARGEST_FILLED = 8 * 1024 * 1024

type Values = ReadonlyMap<string, string>

/** The messages of a prompt with the caller's values in their places. What a value says is text, whatever it looks like. */
export function fillIn(
  { name, messages }: Pick<Prompt, 'name' | 'messages'>,
  { variables, field }: Pick<Reference, 'variables' | 'field'>,
): PromptMessage[] {
  const values = readValues(name, messages, variables, field)
  // Reckoned first: a long value may stand in a thousand places.
  const length = messages.reduce((sum, message) => sum + lengthOf(message, values), 0)
  if (length > LARGEST_FILLED) throw new AppError('prompt.too-large', { name, most: LARGEST_FILLED })
  return messages.map(({ role, pieces }) => ({
    role,
    content: pieces.map((piece, at) => filled(piece, at, values)).join(''),
  }))
}

function lengthOf({ pieces }: Template, values: Values): number {
  return pieces.reduce((sum, piece, at) => sum + filled(piece, at, values).length, 0)
}

/** Every second piece is a name. */
function filled(piece: string, at: number, values: Values): string {
  return at % 2 === 0 ? piece : (values.get(piece) ?? '')
}

function readValues(
  name: string,
  messages: readonly Template[],
  variables: JsonObject,
  field: string,
): Values {
  const wanted = new Set(messages.flatMap(({ pieces }) => pieces.filter((_, at) => at % 2 === 1)))
  const missing = [...wanted].filter(variable => !Object.hasOwn(variables, variable))
  if (missing.length > 0) throw new AppError('prompt.variables', { name, variables: missing.join(', ') })
  return new Map(
    [...wanted].map(variable => [variable, asWords(variables[variable], `${field}.${variable}`)]),
  )
}

/** A text, also as the part of a message that OpenAI takes for one; numbers and flags as they are written. */
function asWords(value: Json | undefined, field: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (isObject(value) && value.type === 'input_text' && typeof value.text === 'string') return value.text
  return asLongNumber(value) ?? refuseField(field, 'field.string')
}
