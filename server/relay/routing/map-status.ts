import { parseObject } from '../../dialects/json.ts'

export type StatusMapping = ReadonlyMap<number, number>

/** `{"400":"500"}`, numbers or their text; undefined when the text is not such an object. */
export function readStatusMapping(text: string): StatusMapping | undefined {
  const object = parseObject(text)
  if (!object) return undefined
  const mapping = new Map<number, number>()
  for (const [from, to] of Object.entries(object)) {
    const [known, wanted] = [readStatus(from), readStatus(to)]
    if (known !== undefined && wanted !== undefined) mapping.set(known, wanted)
  }
  return mapping
}

/** Renames an upstream's error status. A success is never renamed, and nothing is renamed into one. */
export function mapStatus(mapping: StatusMapping, status: number): number {
  return isError(status) ? (mapping.get(status) ?? status) : status
}

function readStatus(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\s*\d{3}\s*$/.test(value) ? Number(value) : value
  return typeof status === 'number' && isError(status) ? status : undefined
}

function isError(status: number): boolean {
  return Number.isInteger(status) && status >= 400 && status <= 599
}
