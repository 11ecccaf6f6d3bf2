import { isCrowded } from './crowded-json.ts'

/** JSON as it comes from a stranger: every field is looked at before it is believed. */
export type Json = string | number | boolean | null | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json | undefined
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

export function asArray(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : []
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A number that arithmetic can use; NaN and infinities are none. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function asFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

/** Text that should be a JSON object: undefined when it is anything else, or more than is to be kept. */
export function parseObject(text: string): JsonObject | undefined {
  if (isCrowded(text)) return undefined
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}

/**
 * The same of what is written out again: whole numbers that JavaScript would round stay as they were spelled. To
 * whoever looks at them they are no numbers.
 */
export function parseExactly(text: string): JsonObject | undefined {
  if (isCrowded(text)) return undefined
  try {
    return asObject(parseLong(text))
  } catch {
    return undefined
  }
}

/** JSON of any kind, with such numbers kept. */
export function parseLong(text: string): unknown {
  return mayRound(text) ? newer.parse(text, keepLong) : JSON.parse(text)
}

/** Whether such a number may stand there: shorter ones are exact as they are. */
export function mayRound(text: string): boolean {
  return /\d{16}/.test(text)
}

function keepLong(_key: string, value: unknown, { source = '' }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !/^-?\d+$/.test(source)) return value
  return newer.rawJSON(source)
}

/** Such a number as it was spelled; undefined for anything else. */
export function asLongNumber(value: unknown): string | undefined {
  return newer.isRawJSON(value) ? JSON.stringify(value) : undefined
}

/** What the types of the language do not know yet. */
const newer = JSON as unknown as {
  isRawJSON(value: unknown): boolean
  parse(text: string, revive: typeof keepLong): unknown
  rawJSON(text: string): unknown
}
