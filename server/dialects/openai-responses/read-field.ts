import { isObject, type Json, type JsonObject } from '../json.ts'
import { refuseChoice, refuseField } from '../refuse.ts'

// `null` counts as absent throughout: clients send it for what they leave to the server.

export function readText(value: Json | undefined, field: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') refuseField(field, 'field.string')
  return value
}

export function requireText(value: Json | undefined, field: string): string {
  const text = readText(value, field)
  if (text === undefined) refuseField(field, 'field.required')
  return text
}

export function requireName(value: Json | undefined, field: string): string {
  const text = requireText(value, field)
  if (text === '') refuseField(field, 'field.empty')
  return text
}

export function readFlag(value: Json | undefined, field: string): boolean | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'boolean') refuseField(field, 'field.flag')
  return value
}

export function readNumber(
  value: Json | undefined,
  field: string,
  least: number,
  most: number,
): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !(value >= least && value <= most))
    refuseField(field, 'field.number-within', { least, most })
  return value
}

/** A whole number of at least 1. */
export function readCount(value: Json | undefined, field: string): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
    refuseField(field, 'field.whole-from', { least: 1 })
  return value
}

export function readObject(value: Json | undefined, field: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) refuseField(field, 'field.object')
  return value
}

export function readList(value: Json | undefined, field: string): readonly Json[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) refuseField(field, 'field.list')
  return value
}

export function readOneOf<Choice extends string>(
  value: Json | undefined,
  field: string,
  choices: readonly Choice[],
): Choice | undefined {
  if (value === undefined || value === null) return undefined
  const choice = choices.find(each => each === value)
  if (choice === undefined) refuseChoice(field, choices)
  return choice
}
