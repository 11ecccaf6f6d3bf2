import { asFlag, asNumber, asObject, asText, type Json, type JsonObject } from '../json.ts'
import { refuseField } from '../refuse.ts'

// Fields of a request. `null` is as good as absent; any other wrong type is the client's mistake.

export function isAbsent(value: Json | undefined): value is null | undefined {
  return value === undefined || value === null
}

export function readText(object: JsonObject, key: string, at: string): string {
  const text = asText(object[key])
  if (text === undefined) refuseField(at + key, 'field.string')
  return text
}

export function readOptionalText(object: JsonObject, key: string, at: string): string | undefined {
  return isAbsent(object[key]) ? undefined : readText(object, key, at)
}

export function readOptionalFlag(object: JsonObject, key: string, at: string): boolean | undefined {
  if (isAbsent(object[key])) return undefined
  const flag = asFlag(object[key])
  if (flag === undefined) refuseField(at + key, 'field.flag')
  return flag
}

export function readObject(object: JsonObject, key: string, at: string): JsonObject {
  const inner = asObject(object[key])
  if (inner === undefined) refuseField(at + key, 'field.object')
  return inner
}

export function readOptionalObject(object: JsonObject, key: string, at: string): JsonObject | undefined {
  return isAbsent(object[key]) ? undefined : readObject(object, key, at)
}

export function readOptionalArray(object: JsonObject, key: string, at: string): readonly Json[] {
  const value = object[key]
  if (isAbsent(value)) return []
  if (!Array.isArray(value)) refuseField(at + key, 'field.list')
  return value
}

export function readWhole(object: JsonObject, key: string, least: number, at = ''): number {
  const value = object[key]
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least)
    refuseField(at + key, 'field.whole-from', { least })
  return value
}

export function readOptionalShare(object: JsonObject, key: string): number | undefined {
  if (isAbsent(object[key])) return undefined
  const value = asNumber(object[key])
  if (value === undefined || value < 0 || value > 1)
    refuseField(key, 'field.number-within', { least: 0, most: 1 })
  return value
}
