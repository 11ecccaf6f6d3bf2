import type { Json, JsonObject } from '../json.ts'
import { refuseField } from '../refuse.ts'
import { isTooDeep } from './nesting.ts'

/** Google takes one object where a list is meant, and its own examples are written so. */
export function readList(value: Json | undefined, field: string): readonly Json[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  if (typeof value === 'object') return [value]
  return refuseField(field, 'field.list')
}

export function readObject(value: Json | undefined, field: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  return refuseField(field, 'field.object')
}

export function readOptionalObject(value: Json | undefined, field: string): JsonObject | undefined {
  return value === undefined || value === null ? undefined : readObject(value, field)
}

export function readText(value: Json | undefined, field: string): string {
  return typeof value === 'string' ? value : refuseField(field, 'field.string')
}

export function readName(value: Json | undefined, field: string): string {
  return typeof value === 'string' && value !== '' ? value : refuseField(field, 'field.text')
}

export function readOptionalText(value: Json | undefined, field: string): string | undefined {
  return value === undefined || value === null ? undefined : readText(value, field)
}

export function readOptionalFlag(value: Json | undefined, field: string): boolean | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'boolean' ? value : refuseField(field, 'field.flag')
}

export function readOptionalNumber(value: Json | undefined, field: string): number | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'number' && Number.isFinite(value) ? value : refuseField(field, 'field.number')
}

export function readOptionalWhole(value: Json | undefined, field: string, least: number): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
  return refuseField(field, 'field.whole-from', { least })
}

export function toJsonText(value: Json, field: string): string {
  return isTooDeep(value) ? refuseField(field, 'field.too-deep') : JSON.stringify(value)
}

/** A schema that is taken as it is. */
export function readSchema(value: Json | undefined, field: string): JsonObject | undefined {
  const schema = readOptionalObject(value, field)
  return isTooDeep(schema) ? refuseField(field, 'field.too-deep') : schema
}
