import type { SettingValues } from '../../../contract/settings/index.ts'
import { AppError } from '../../errors.ts'
import { builtInPrices, type PriceField, releaseOf } from './built-in-prices.ts'
import { divide, type Exact, exact, multiply, toNumber } from './decimal.ts'
import { type GroupRatios, groupRatio, ownRatio } from './group-ratio.ts'
import { type ModelPrice, type PriceSnapshot, type RatioPrice, timesPrice } from './price-snapshot.ts'
import { searchCounts } from './search-counts.ts'
import { LONG_INPUT } from './vendor-prices.ts'

/** The operator's maps, and what each says of a model. */
export const priceOptions = {
  ModelPrice: 'price',
  ModelRatio: 'modelRatio',
  CompletionRatio: 'completionRatio',
  CacheRatio: 'cacheRatio',
  CreateCacheRatio: 'cacheWriteRatio',
  ImageRatio: 'imageRatio',
  AudioRatio: 'audioRatio',
  AudioCompletionRatio: 'audioCompletionRatio',
  LongInputRatio: 'longInputRatio',
  LongOutputRatio: 'longOutputRatio',
  LongInputFrom: 'longInputFrom',
} as const satisfies Partial<Record<keyof SettingValues, PriceField>>

export type PriceOption = keyof typeof priceOptions
type PriceSettings = GroupRatios &
  Pick<
    SettingValues,
    PriceOption | 'DefaultModelRatio' | 'QuotaPerUnit' | 'WebSearchPrice' | 'ToolPrice' | 'InferenceGeoRatio'
  >

type Shelves = Map<string, Map<string, PriceSnapshot>>

const optionOf = Object.fromEntries(
  Object.entries(priceOptions).map(([option, field]) => [field, option]),
) as Record<PriceField, PriceOption>

/** Writing to a cache costs this where only the price of reading is known; keeping it for an hour, this more. */
const CACHE_WRITE = 1.25
const HOUR_OVER_MINUTES = 1.6

const sizedKey = /^(.*?)(?::(low|medium|high))?$/

const LONGEST_NAME = 255
/** Clients choose model names, so what is remembered of them is bounded. */
const MOST_REMEMBERED = 10_000

/** Every price under one state of the settings: what the operator says, else what is built in. */
export class PriceBook {
  readonly #settings: PriceSettings
  /** By group and model. */
  readonly #snapshots: Shelves = new Map()
  /** The same for users whose group has ratios of its own, by that. */
  readonly #ofUsers = new Map<string, Shelves>()
  #remembered = 0

  constructor(settings: PriceSettings) {
    this.#settings = settings
  }

  /** The price of a model in a group for the users of another, shared by all who ask; refuses what has no price. */
  snapshot(model: string, group: string, userGroup = group): PriceSnapshot {
    const isOwn = ownRatio(this.#settings, group, userGroup) !== undefined
    const shelves = isOwn ? this.#ofUsers.get(userGroup) : this.#snapshots
    return shelves?.get(group)?.get(model) ?? this.#remember(model, group, isOwn ? userGroup : undefined)
  }

  /** Undefined when there is no such group. */
  groupRatio(group: string, userGroup: string): number | undefined {
    return groupRatio(this.#settings, group, userGroup)
  }

  /** The price of a model before any group ratio; refuses what has none. */
  price(model: string): ModelPrice {
    const price = this.findPrice(model)
    if (!price) throw new AppError('price.unknown-model', { model: model.slice(0, LONGEST_NAME) })
    return price
  }

  findPrice(model: string): ModelPrice | undefined {
    const names = namesOf(model)
    for (const name of names) {
      const price = this.#set('price', name)
      if (price !== undefined) return this.#perCall(price)
      const ratio = this.#set('modelRatio', name)
      if (ratio !== undefined) return this.#perToken(names, ratio)
      const builtIn = builtInPrices.get(name)
      if (builtIn?.price !== undefined) return this.#perCall(builtIn.price)
      if (builtIn?.modelRatio !== undefined) return this.#perToken(names, builtIn.modelRatio)
    }
    const { DefaultModelRatio } = this.#settings
    if (DefaultModelRatio > 0 && model.length <= LONGEST_NAME) return this.#perToken(names, DefaultModelRatio)
    return undefined
  }

  /** What is in force for every model, for people to read and edit. */
  inForce(option: PriceOption): Record<string, number> {
    const field = priceOptions[option]
    const all = new Map<string, number>()
    for (const [model, price] of builtInPrices) {
      const value = price[field]
      if (value === undefined) continue
      // Shown, it would be saved with the rest of the map and then go before the operator's ratio.
      if (option === 'ModelPrice' && this.#set('modelRatio', model) !== undefined) continue
      all.set(model, toNumber(value))
    }
    for (const [model, value] of Object.entries(this.#settings[option])) all.set(model, value)
    return Object.fromEntries(all)
  }

  #remember(model: string, group: string, userGroup: string | undefined): PriceSnapshot {
    const ratio = groupRatio(this.#settings, group, userGroup)
    if (ratio === undefined) throw new AppError('price.unknown-group', { group })
    const snapshot = Object.freeze({
      ...this.price(model),
      model,
      group,
      groupRatio: ratio,
      ...(userGroup !== undefined && { userGroup }),
      ...this.#search(model),
    })
    if (this.#remembered++ >= MOST_REMEMBERED) {
      this.#snapshots.clear()
      this.#ofUsers.clear()
      this.#remembered = 1
    }
    const shelves = userGroup === undefined ? this.#snapshots : this.#shelvesOf(userGroup)
    const ofGroup = shelves.get(group) ?? new Map<string, PriceSnapshot>()
    shelves.set(group, ofGroup.set(model, snapshot))
    return snapshot
  }

  #shelvesOf(userGroup: string): Shelves {
    const shelves = this.#ofUsers.get(userGroup) ?? new Map()
    this.#ofUsers.set(userGroup, shelves)
    return shelves
  }

  #search(model: string): Pick<PriceSnapshot, 'search'> {
    const price = this.searchPrice(model)
    const counts = searchCounts(model)
    return price === 0
      ? {}
      : { search: { price, quotaPerUnit: this.#settings.QuotaPerUnit, ...(counts && { counts }) } }
  }

  /** Of a thousand searches, by the longest beginning of the model's name that the operator has a price for. */
  searchPrice(model: string, size?: string): number {
    const { WebSearchPrice } = this.#settings
    let best = 'default'
    let length = -1
    for (const key of Object.keys(WebSearchPrice)) {
      const [, beginning = '', read] = sizedKey.exec(key) ?? []
      if (!model.startsWith(beginning) || (read !== undefined && read !== size)) continue
      if (beginning.length < length || (beginning.length === length && read === undefined)) continue
      best = key
      length = beginning.length
    }
    return own(WebSearchPrice, best) ?? 0
  }

  /** Of a thousand uses of a vendor's tool; undefined where none is set, so that it cannot be had. */
  toolPrice(model: string, tool: string): number | undefined {
    const { ToolPrice } = this.#settings
    let best = tool
    for (const key of Object.keys(ToolPrice)) {
      const at = key.lastIndexOf(':')
      if (at < 0 || key.slice(at + 1) !== tool || !model.startsWith(key.slice(0, at))) continue
      if (best === tool || key.length > best.length) best = key
    }
    return own(ToolPrice, best)
  }

  /** For what is computed in a place that somebody asked for. */
  inGeo(snapshot: PriceSnapshot): PriceSnapshot {
    return timesPrice(snapshot, this.#settings.InferenceGeoRatio)
  }

  get quotaPerUnit(): number {
    return this.#settings.QuotaPerUnit
  }

  #perCall(price: Exact): ModelPrice {
    return { kind: 'call', price, quotaPerUnit: this.#settings.QuotaPerUnit }
  }

  #perToken(names: readonly string[], modelRatio: Exact): ModelPrice {
    const completionRatio = this.#find('completionRatio', names) ?? 1
    const cacheRatio = this.#find('cacheRatio', names)
    const cacheWriteRatio =
      this.#find('cacheWriteRatio', names) ?? (cacheRatio === undefined ? 1 : CACHE_WRITE)
    const audioRatio = this.#find('audioRatio', names) ?? 1
    const audioCompletionRatio = this.#find('audioCompletionRatio', names)
    return {
      kind: 'ratio',
      modelRatio,
      completionRatio,
      cacheRatio: cacheRatio ?? 1,
      cacheWriteRatio,
      cacheWriteHourRatio: exact(multiply(cacheWriteRatio, HOUR_OVER_MINUTES)),
      imageRatio: this.#find('imageRatio', names) ?? 1,
      audioRatio,
      audioCompletionRatio: audioCompletionRatio ?? asTextOutput(completionRatio, audioRatio),
      ...this.#forLongInput(names, { modelRatio, completionRatio, audioRatio, audioCompletionRatio }),
    }
  }

  /** Every other ratio is relative to the model's, and so are these; only output may grow otherwise than input. */
  #forLongInput(
    names: readonly string[],
    usual: {
      modelRatio: Exact
      completionRatio: Exact
      audioRatio: Exact
      audioCompletionRatio: Exact | undefined
    },
  ): Pick<RatioPrice, 'long'> {
    const input = this.#find('longInputRatio', names) ?? 1
    const output = this.#find('longOutputRatio', names) ?? input
    // Nothing is free for being long.
    if (input === 0 || (input === 1 && output === 1)) return {}
    const completionRatio = exact(multiply(usual.completionRatio, divide(output, input)))
    return {
      long: {
        over: toNumber(this.#find('longInputFrom', names) ?? LONG_INPUT),
        modelRatio: exact(multiply(usual.modelRatio, input)),
        completionRatio,
        audioCompletionRatio: usual.audioCompletionRatio ?? asTextOutput(completionRatio, usual.audioRatio),
      },
    }
  }

  /** The operator's word for a name goes before what is built in for it; the name before what it dates. */
  #find(field: PriceField, names: readonly string[]): Exact | undefined {
    for (const name of names) {
      const found = this.#set(field, name) ?? builtInPrices.get(name)?.[field]
      if (found !== undefined) return found
    }
    return undefined
  }

  /** What the operator has set. A built-in quotient that was saved as it is shown keeps its full precision. */
  #set(field: PriceField, name: string): Exact | undefined {
    const value = own(this.#settings[optionOf[field]], name)
    if (value === undefined) return undefined
    const builtIn = builtInPrices.get(name)?.[field]
    return builtIn !== undefined && toNumber(builtIn) === value ? builtIn : value
  }
}

/** The book of the settings in force; a new one after any of them has changed. */
export function priceBooks(settings: { readonly all: PriceSettings }): () => PriceBook {
  let values: PriceSettings | undefined
  let book: PriceBook | undefined
  return () => {
    const now = settings.all
    if (book === undefined || values !== now) {
      values = now
      book = new PriceBook(now)
    }
    return book
  }
}

function namesOf(model: string): readonly string[] {
  const dated = builtInPrices.has(model) ? undefined : releaseOf(model)
  return dated === undefined ? [model] : [model, dated]
}

/** Audio output of which nothing is known costs what text output does. */
function asTextOutput(completionRatio: Exact, audioRatio: Exact): Exact {
  return audioRatio === 0 ? 1 : exact(divide(completionRatio, audioRatio))
}

function own(map: Readonly<Record<string, number>>, key: string): number | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}
