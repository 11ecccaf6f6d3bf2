import { isObject, type JsonObject } from '../json.ts'
import { refuseField } from '../refuse.ts'

// What a request may leave out, it may also send as null.

export function takeText(body: JsonObject, key: string, field = key): string | undefined {
  const value = body[key] ?? undefined
  if (value === undefined || typeof value === 'string') return value
  refuseField(field, 'field.string')
}

export function takeFlag(body: JsonObject, key: string, field = key): boolean | undefined {
  const value = body[key] ?? undefined
  if (value === undefined || typeof value === 'boolean') return value
  refuseField(field, 'field.flag')
}

export function takeNumber(body: JsonObject, key: string): number | undefined {
  const value = body[key] ?? undefined
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isFinite(value)) return value
  refuseField(key, 'field.number')
}

export function takeInteger(body: JsonObject, key: string, least: number, field = key): number | undefined {
  const value = body[key] ?? undefined
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
  if (least === Number.MIN_SAFE_INTEGER) refuseField(field, 'field.whole')
  refuseField(field, 'field.whole-from', { least })
}

export function takeObject(body: JsonObject, key: string, field = key): JsonObject | undefined {
  const value = body[key] ?? undefined
  if (value === undefined || isObject(value)) return value
  refuseField(field, 'field.object')
}

/** A name that has to be there and to say something. */
export function needText(body: JsonObject, key: string, field: string): string {
  const value = body[key]
  if (typeof value === 'string' && value !== '') return value
  refuseField(field, 'field.text')
}
