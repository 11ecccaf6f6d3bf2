import { isObject, type JsonObject } from '../../server/dialects/json.ts'

/** The fields a vendor knows: `true` takes anything; a function looks at the value first (tagged unions). */
export type Shape =
  | true
  | { readonly [field: string]: Shape }
  | readonly [Shape]
  | ((value: JsonObject) => { readonly tag?: string; readonly shape: Shape })

type Path = readonly (string | number)[]

export function fields(names: string): Record<string, true> {
  return Object.fromEntries(names.split(/[\s,]+/).map(name => [name, true]))
}

/** The way to the first field that the shape does not know. Tags of unions stand in the path. */
export function findUnknown(value: unknown, shape: Shape, path: Path = []): Path | undefined {
  if (shape === true) return undefined
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return undefined
    for (const [index, one] of value.entries()) {
      const found = findUnknown(one, shape[0], [...path, index])
      if (found !== undefined) return found
    }
    return undefined
  }
  if (!isObject(value)) return undefined
  if (typeof shape === 'function') {
    const { tag, shape: inner } = shape(value)
    return findUnknown(value, inner, tag === undefined ? path : [...path, tag])
  }
  return findInFields(value, shape as { readonly [field: string]: Shape }, path)
}

function findInFields(
  value: JsonObject,
  shape: { readonly [field: string]: Shape },
  path: Path,
): Path | undefined {
  for (const [name, one] of Object.entries(value)) {
    const inner = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (inner === undefined) return [...path, name]
    const found = findUnknown(one, inner, [...path, name])
    if (found !== undefined) return found
  }
  return undefined
}

/** `messages[1].content` */
export function bracketPath(path: Path): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('')
}
