import { AppError } from '../../errors.ts'
import { splitList } from '../../store/split-list.ts'

const limits = {
  models: { count: 5000, length: 255, whole: 1_000_000 },
  groups: { count: 100, length: 64, whole: 1000 },
} as const

/** Models or groups as they are stored: each once, joined by commas. Undefined when there are none. */
export function readNames(
  kind: keyof typeof limits,
  value: string | readonly string[] | undefined,
): string | undefined {
  if (value === undefined) return undefined
  const names = [
    ...new Set(splitList((typeof value === 'string' ? value : value.join(',')).replace(/[\r\n，]+/g, ','))),
  ]
  if (names.length === 0) return undefined
  const { count, length, whole } = limits[kind]
  if (names.length > count) throw new AppError('channel.too-many', { field: kind, limit: count })
  const long = names.find(name => name.length > length)
  if (long !== undefined && kind === 'models')
    throw new AppError('channel.model-name', { model: `${long.slice(0, 100)}…` })
  const joined = names.join(',')
  if (long !== undefined || joined.length > whole)
    throw new AppError('channel.too-long', { field: kind, limit: long === undefined ? whole : length })
  return joined
}
