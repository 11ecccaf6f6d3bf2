import type { Transaction } from 'kysely'
import type { BodyOf } from '../../../contract/endpoint.ts'
import type { Endpoints } from '../../../contract/index.ts'
import type { ListedPrice } from '../../../contract/price-sources.ts'
import { SettingError } from '../../../contract/settings/define.ts'
import { settings } from '../../../contract/settings/index.ts'
import { AppError } from '../../errors.ts'
import { PriceBook, type PriceOption } from '../../ledger/price/price-book.ts'
import { lockedOn } from '../../store/lock-rows.ts'
import type { Schema } from '../../store/schema.ts'
import { putRow, unlessThere } from '../../store/upsert.ts'
import type { App } from '../app.ts'
import { recordAudit } from '../audit-record.ts'
import type { CallOf } from '../call.ts'
import { ownPrice } from './compare.ts'
import { readPrice } from './figures.ts'

/** The settings that hold what lists tell, in the order of their keys: everyone locks them in that. */
const optionOf = {
  cache_ratio: 'CacheRatio',
  completion_ratio: 'CompletionRatio',
  create_cache_ratio: 'CreateCacheRatio',
  long_input_from: 'LongInputFrom',
  long_input_ratio: 'LongInputRatio',
  long_output_ratio: 'LongOutputRatio',
  model_price: 'ModelPrice',
  model_ratio: 'ModelRatio',
} as const satisfies Record<keyof ListedPrice, PriceOption>

type Field = keyof typeof optionOf
type Option = (typeof optionOf)[Field]
type Maps = Record<Option, Record<string, number>>
type Taken = BodyOf<Endpoints['takePrices']>['models'][number]

const fields = Object.keys(optionOf) as Field[]
const options = Object.values(optionOf)
const MOST_NAMED = 10

/**
 * Puts chosen prices in force, all at once: what was shown as the own price has to be that still, and what was shown
 * as theirs is what is saved. Prices of other models stay as they are, whoever edits them meanwhile.
 */
export async function takePrices(app: App, call: CallOf<Endpoints['takePrices']>): Promise<void> {
  const { models, source } = call.body
  refuseUnusable(models)
  await app.store.change('options', async transaction => {
    const before = await lockMaps(app, transaction)
    const bookOf = (maps: Maps): PriceBook => new PriceBook({ ...app.settings.all, ...maps })
    refuseEdited(models, bookOf(before))
    const after = withTaken(before, models)
    keepUnsaid(after, models, bookOf(after))
    const changed = options.filter(option => JSON.stringify(before[option]) !== JSON.stringify(after[option]))
    for (const option of changed) {
      const row = { value: encode(option, after[option]), updated_at: app.now() }
      await putRow(transaction, app.store.engine, 'options', { key: option }, row)
    }
    for (const option of changed) {
      const values = (maps: Maps) => ({ value: JSON.stringify(pick(maps[option], models)) })
      const event = { action: 'option.save', subject: `option:${option}` } as const
      const shown = { before: values(before), after: { ...values(after), ...placeOf(source) } }
      await recordAudit(app, call, { ...event, ...shown }, transaction)
    }
  })
}

/** Where they are from; without what an address may carry that is nobody else's to know. */
function placeOf(source = ''): { source?: string } {
  const url = URL.parse(source)
  const place = url ? `${url.origin}${url.pathname}` : source
  return place === '' ? {} : { source: place }
}

/** By whoever they were sent: what no list may say is not saved either. */
function refuseUnusable(models: readonly Taken[]): void {
  const names = new Set<string>()
  for (const { model, theirs } of models) {
    const price = readPrice(theirs)
    const isWhole = price && fields.every(field => price[field] === theirs[field])
    if (!isWhole || names.has(model)) throw new AppError('price-source.figure', { model })
    names.add(model)
  }
}

/** The operator's maps as they are stored, locked until the transaction ends where the engine locks rows. */
async function lockMaps({ store, now }: App, transaction: Transaction<Schema>): Promise<Maps> {
  // One that is not there cannot be locked.
  await transaction
    .insertInto('options')
    .values(options.map(key => ({ key, value: '{}', updated_at: now() })))
    .$call(unlessThere(store.engine))
    .execute()
  const rows = await transaction
    .selectFrom('options')
    .select(['key', 'value'])
    .where('key', 'in', options)
    .orderBy('key')
    .$call(lockedOn(store.engine))
    .execute()
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  return Object.fromEntries(
    options.map(option => [option, decode(option, stored.get(option) ?? '{}')]),
  ) as Maps
}

function refuseEdited(models: readonly Taken[], book: PriceBook): void {
  const edited = models
    .filter(({ model, own }) => !isEqual(ownPrice(book, model), own))
    .map(each => each.model)
  if (edited.length === 0) return
  const named = edited.slice(0, MOST_NAMED).join(', ')
  throw new AppError('price-source.edited', { models: edited.length > MOST_NAMED ? `${named}, …` : named })
}

function isEqual(now: ListedPrice | null, shown: ListedPrice | null): boolean {
  return now === null || shown === null ? now === shown : fields.every(field => now[field] === shown[field])
}

function withTaken(before: Maps, models: readonly Taken[]): Maps {
  const after = Object.fromEntries(options.map(option => [option, { ...before[option] }])) as Maps
  for (const { model, theirs } of models) {
    // An own price by the call would go before the ratio.
    if (theirs.model_price === undefined) delete after.ModelPrice[model]
    for (const field of fields) {
      const value = theirs[field]
      if (value !== undefined) after[optionOf[field]][model] = value
    }
  }
  return after
}

/** What a list does not tell stays what it was, also where it would follow from what it does tell. */
function keepUnsaid(after: Maps, models: readonly Taken[], book: PriceBook): void {
  for (const { model, own, theirs } of models) {
    if (own?.model_ratio === undefined || theirs.model_ratio === undefined) continue
    const now = ownPrice(book, model)
    for (const field of fields) {
      const value = own[field]
      if (value !== undefined && theirs[field] === undefined && now?.[field] !== value)
        after[optionOf[field]][model] = value
    }
  }
}

function pick(map: Readonly<Record<string, number>>, models: readonly Taken[]): Record<string, number> {
  return Object.fromEntries(
    models.flatMap(({ model }) => (Object.hasOwn(map, model) ? [[model, map[model] ?? 0]] : [])),
  )
}

/** Of what cannot be read nothing is in force. */
function decode(option: Option, text: string): Record<string, number> {
  try {
    return settings[option].decode(text)
  } catch (error) {
    if (error instanceof SettingError) return {}
    throw error
  }
}

function encode(option: Option, map: Record<string, number>): string {
  const text = settings[option].encode(map)
  try {
    settings[option].decode(text)
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    throw new AppError('option.value', { key: option, detail: error.message }, error)
  }
  return text
}
