// Several maps seen as one table of models, and back. No React in here.

import { operationSettings } from '../../../../contract/settings/operation.ts'
import { placeEntry } from './place-entry.ts'

/** What each map says of a model. */
const fields = {
  ModelPrice: 'price',
  ModelRatio: 'ratio',
  CompletionRatio: 'completionRatio',
  LongInputRatio: 'longInputRatio',
  LongOutputRatio: 'longOutputRatio',
  LongInputFrom: 'longInputFrom',
} as const

export type PriceKey = keyof typeof fields
export const priceKeys = Object.keys(fields) as PriceKey[]
type PriceMap = Readonly<Record<string, number>>
export type PriceMaps = Readonly<Record<PriceKey, PriceMap>>
export type PriceTexts = Readonly<Record<PriceKey, string>>

/** The same for every map. */
export function forEveryKey<T>(value: (key: PriceKey) => T): Record<PriceKey, T> {
  return Object.fromEntries(priceKeys.map(key => [key, value(key)])) as Record<PriceKey, T>
}

export interface PriceRow {
  readonly name: string
  /** Dollars per call. Where it is set, the ratios mean nothing. */
  readonly price: number | undefined
  readonly ratio: number | undefined
  readonly completionRatio: number | undefined
  /** What becomes of both when the input has more tokens than `longInputFrom`. */
  readonly longInputRatio: number | undefined
  readonly longOutputRatio: number | undefined
  readonly longInputFrom: number | undefined
}

/** `changed`: the operator says otherwise than what is built in. */
export type Origin = 'own' | 'changed' | 'built-in'

/** The maps that the texts stand for, or the first text that is none. */
export function readMaps(texts: PriceTexts): PriceMaps | PriceKey {
  const maps: Record<PriceKey, PriceMap> = forEveryKey(() => ({}))
  for (const key of priceKeys) {
    try {
      maps[key] = operationSettings[key].decode(texts[key])
    } catch {
      return key
    }
  }
  return maps
}

export function writeMap(key: PriceKey, map: PriceMap): string {
  return operationSettings[key].encode(map)
}

/** What will be in force: of a model that a map does not name, what is built in. */
export function withBuiltIn(maps: PriceMaps, builtIn: PriceMaps): PriceMaps {
  // A ratio of the operator's goes before a price that is only built in.
  const prices = Object.entries(builtIn.ModelPrice).filter(([name]) => !Object.hasOwn(maps.ModelRatio, name))
  return {
    ...forEveryKey(key => ({ ...builtIn[key], ...maps[key] })),
    ModelPrice: { ...Object.fromEntries(prices), ...maps.ModelPrice },
  }
}

export function rowOf(maps: PriceMaps, name: string): PriceRow | undefined {
  if (!priceKeys.some(key => Object.hasOwn(maps[key], name))) return undefined
  const figure = (key: PriceKey) => (Object.hasOwn(maps[key], name) ? maps[key][name] : undefined)
  return {
    name,
    price: figure('ModelPrice'),
    ratio: figure('ModelRatio'),
    completionRatio: figure('CompletionRatio'),
    longInputRatio: figure('LongInputRatio'),
    longOutputRatio: figure('LongOutputRatio'),
    longInputFrom: figure('LongInputFrom'),
  }
}

export function namesIn(maps: PriceMaps): Set<string> {
  return new Set(priceKeys.flatMap(key => Object.keys(maps[key])))
}

export interface ListedRow extends PriceRow {
  readonly origin: Origin
}

/** What the operator has said comes first; each part by name. */
export function listRows(inForce: PriceMaps, builtIn: PriceMaps, search: string): ListedRow[] {
  const wanted = search.trim().toLowerCase()
  const rows = [...namesIn(inForce)].flatMap(name => {
    const row = name.toLowerCase().includes(wanted) ? rowOf(inForce, name) : undefined
    return row ? [{ ...row, origin: originOf(row, builtIn) }] : []
  })
  const rank = ({ origin }: ListedRow) => (origin === 'built-in' ? 1 : 0)
  return rows.sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1))
}

function originOf(row: PriceRow, builtIn: PriceMaps): Origin {
  const known = rowOf(builtIn, row.name)
  if (!known) return 'own'
  if (row.price !== undefined || known.price !== undefined)
    return row.price === known.price ? 'built-in' : 'changed'
  return Object.values(fields).every(field => row[field] === known[field]) ? 'built-in' : 'changed'
}

/** A model is charged by one kind of figure: with a price it has no ratios. `former` is the name it had. */
export function putRow(maps: PriceMaps, row: PriceRow, former = row.name): PriceMaps {
  const byCall = row.price !== undefined
  return forEveryKey(key => {
    const figure = byCall && key !== 'ModelPrice' ? undefined : row[fields[key]]
    return placeEntry(maps[key], former, row.name, figure)
  })
}

export const unpriced: Omit<PriceRow, 'name'> = {
  price: undefined,
  ratio: undefined,
  completionRatio: undefined,
  longInputRatio: undefined,
  longOutputRatio: undefined,
  longInputFrom: undefined,
}

export function dropRow(maps: PriceMaps, name: string): PriceMaps {
  return putRow(maps, { ...unpriced, name })
}

/** Says of a model what is built in. */
export function restoreRow(maps: PriceMaps, builtIn: PriceMaps, name: string): PriceMaps {
  const row = rowOf(builtIn, name)
  return row ? putRow(maps, row) : dropRow(maps, name)
}
