import type { Endpoints } from '../../contract/index.ts'
import type { PricedModel, RecentCalls } from '../../contract/pricing.ts'
import { roles } from '../../contract/users.ts'
import { AppError } from '../errors.ts'
import { type Exact, toNumber } from '../ledger/price/decimal.ts'
import { kindPrices } from '../ledger/price/kind-prices.ts'
import { type PriceBook, type PriceOption, priceBooks } from '../ledger/price/price-book.ts'
import type { ModelPrice, RatioPrice } from '../ledger/price/price-snapshot.ts'
import { searchCounts } from '../ledger/price/search-counts.ts'
import { AUTO, groupsBehind } from '../store/user-groups.ts'
import { findSessionCaller } from './accounts/sessions.ts'
import type { App } from './app.ts'
import type { Caller, CallOf, Handlers } from './call.ts'
import { mapInTurns } from './give-way.ts'
import { ownerOf } from './model-owners.ts'
import { KeptDays } from './statistics/kept-days.ts'
import { countedHours, type Known, modelPerformance, type Performances } from './statistics/performance.ts'
import { actForTeam } from './teams/act-for-team.ts'
import { enabledModels, modelsOffered, NEWCOMERS, usableGroups } from './usable-groups.ts'

type PricingHandlers = Handlers<'pricing' | 'ratioConfig' | 'unpricedModels' | 'perfMetrics' | 'perfSummary'>

/** Prices are shown also while it cannot be counted how models do. */
const nothingKnown: Performances = { models: new Map(), all: null }

export function pricingHandlers(app: App): PricingHandlers {
  const books = priceBooks(app.settings)
  const models = enabledModels(app)
  const performance = modelPerformance(app.store.db, app.now, new KeptDays(app.store, app.now))
  const readPerformance = async (asked: number | undefined) => {
    if (!app.settings.get('ModelFiguresEnabled')) throw new AppError('performance.off')
    const hours = countedHours(asked)
    return { hours, ...(await performance(hours)) }
  }
  /** Nobody has to be logged in; whoever is banned looks on like anyone. */
  const personOf = ({ session, ...from }: Visit) => findSessionCaller(app, session, from).catch(asNobody)
  const showTo = async (call: Visit) => {
    const caller = await personOf(call)
    const isAdmin = isAdministrator(caller)
    const isOffered = await modelsOffered(app, caller?.group)
    return {
      /** Which models others have may tell who they are. */
      isTold: (model: string) => isAdmin || isOffered(model),
      /** How many calls there were is nobody else's business. */
      show: ({ calls, ...figures }: Known) => (isAdmin ? { ...figures, calls } : figures),
    }
  }
  return {
    async perfMetrics({ query, ...call }) {
      const { hours, models: known } = await readPerformance(query.hours)
      const { isTold, show } = await showTo(call)
      const wanted = [...known].filter(
        ([name]) => isTold(name) && (query.model === '' || name === query.model),
      )
      return { hours, models: wanted.map(([model_name, each]) => ({ model_name, ...show(each) })) }
    },
    async perfSummary({ query, ...call }) {
      const { hours, all } = await readPerformance(query.hours)
      const { show } = await showTo(call)
      return { hours, all: all && show(all) }
    },
    async pricing({ query, ...call }) {
      const person = await personOf(call)
      const { team } = query
      // Who is in no such team sees what they would see without it.
      const ofTeam =
        person && team ? await actForTeam(app, person, team, 'members').catch(asNobody) : undefined
      const caller = ofTeam ?? person
      const usable = Object.entries(usableGroups(app.settings, caller?.group ?? NEWCOMERS))
      return {
        success: true,
        message: '',
        data: priceModels(
          await models(),
          books(),
          usable.map(([group]) => group),
          app.settings.get('ModelFiguresEnabled')
            ? (await performance(24).catch(() => nothingKnown)).models
            : undefined,
        ).filter(({ enable_groups }) => enable_groups.length > 0 || isAdministrator(person)),
        own_group: caller?.group ?? '',
        group_ratio: Object.fromEntries(usable.map(([group, { ratio }]) => [group, ratio])),
        auto_groups: caller ? (groupsBehind(app.settings, caller.group, AUTO) ?? []) : [],
        usable_group: Object.fromEntries(usable.map(([group, { desc }]) => [group, desc])),
        web_search_price: app.settings.get('WebSearchPrice'),
        tool_price: app.settings.get('ToolPrice'),
        batch_ratio: app.settings.get('BatchRatio'),
        inference_geo_ratio: app.settings.get('InferenceGeoRatio'),
        ...(app.settings.get('AnswerCacheSeconds') > 0 && {
          answer_cache_ratio: app.settings.get('AnswerCacheRatio'),
        }),
      }
    },
    async unpricedModels({ body }) {
      const names = new Set(body.models ?? namesOf(await models()))
      const book = books()
      const unpriced: string[] = []
      await mapInTurns([...names].sort(), name => {
        if (!priceOf(book, name)) unpriced.push(name)
      })
      return unpriced
    },
    async ratioConfig(call) {
      const { isTold } = await showTo(call)
      const hidden = new Set([...namesOf(await models())].filter(name => !isTold(name)))
      const book = books()
      const inForce = (option: PriceOption) =>
        Object.fromEntries(Object.entries(book.inForce(option)).filter(([name]) => !names(name, hidden)))
      return {
        model_ratio: inForce('ModelRatio'),
        completion_ratio: inForce('CompletionRatio'),
        cache_ratio: inForce('CacheRatio'),
        create_cache_ratio: inForce('CreateCacheRatio'),
        model_price: inForce('ModelPrice'),
        long_input_ratio: inForce('LongInputRatio'),
        long_output_ratio: inForce('LongOutputRatio'),
        long_input_from: inForce('LongInputFrom'),
      }
    },
  }
}

type Visit = Pick<CallOf<Endpoints['pricing']>, 'session' | 'address' | 'userAgent'>

function isAdministrator(caller: Caller | undefined): boolean {
  return (caller?.role ?? 0) >= roles.admin
}

/** Also as the price of one of its kinds, `model:kind`. */
function names(priced: string, models: ReadonlySet<string>): boolean {
  const colon = priced.lastIndexOf(':')
  return models.has(priced) || (colon > 0 && models.has(priced.slice(0, colon)))
}

function asNobody(error: unknown): undefined {
  if (error instanceof AppError && error.status < 500) return undefined
  throw error
}

/** Every model that an enabled channel serves and that has a price, with the caller's groups that have it. */
function priceModels(
  ofGroups: ReadonlyMap<string, ReadonlySet<string>>,
  book: PriceBook,
  usable: readonly string[],
  recent: ReadonlyMap<string, Known> | undefined,
): PricedModel[] {
  const listed = book.inForce('ModelPrice')
  return [...namesOf(ofGroups)].sort().flatMap(name => {
    const price = priceOf(book, name)
    const enable_groups = usable.filter(group => ofGroups.get(group)?.has(name))
    if (!price) return []
    const searches = searchCounts(name) === 'always' && { always_searches: true as const }
    const kinds = price.quota_type === 1 ? kindPrices(book, name, listed) : {}
    const ofKinds = Object.keys(kinds).length > 0 && { kind_prices: kinds }
    const howItDoes = recent && { recent: enable_groups.length > 0 ? recentOf(recent.get(name)) : null }
    return [
      {
        model_name: name,
        owner_by: ownerOf(name),
        ...price,
        ...searches,
        ...ofKinds,
        ...howItDoes,
        enable_groups,
      },
    ]
  })
}

function recentOf(known: Known | undefined): RecentCalls | null {
  if (!known) return null
  return { success: known.success, first_token: known.first_token_p50, latency: known.latency_p50 }
}

function namesOf(ofGroups: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  return new Set([...ofGroups.values()].flatMap(models => [...models]))
}

/** A model without a price cannot be called, so it is not on offer. */
function priceOf(book: PriceBook, model: string): ReturnType<typeof describePrice> | undefined {
  try {
    return describePrice(book.price(model))
  } catch (error) {
    if (error instanceof AppError && error.code === 'price.unknown-model') return undefined
    throw error
  }
}

function describePrice(price: ModelPrice) {
  const by = (ratio: (of: ModelPrice & { kind: 'ratio' }) => Exact): number =>
    price.kind === 'ratio' ? toNumber(ratio(price)) : 0
  return {
    quota_type: price.kind === 'call' ? 1 : 0,
    model_price: price.kind === 'call' ? toNumber(price.price) : 0,
    model_ratio: by(of => of.modelRatio),
    completion_ratio: by(of => of.completionRatio),
    cache_ratio: by(of => of.cacheRatio),
    create_cache_ratio: by(of => of.cacheWriteRatio),
    image_ratio: by(of => of.imageRatio),
    audio_ratio: by(of => of.audioRatio),
    audio_completion_ratio: by(of => of.audioCompletionRatio),
    create_cache_1h_ratio: by(of => of.cacheWriteHourRatio),
    // What is free stays so, however long.
    ...(price.kind === 'ratio' &&
      price.long &&
      price.modelRatio !== 0 && { long_input: describeLong(price.long) }),
  }
}

function describeLong({ over, ...ratios }: NonNullable<RatioPrice['long']>) {
  return {
    over,
    model_ratio: toNumber(ratios.modelRatio),
    completion_ratio: toNumber(ratios.completionRatio),
    audio_completion_ratio: toNumber(ratios.audioCompletionRatio),
  }
}
