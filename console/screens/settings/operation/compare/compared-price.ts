// What a price comes to, for those who compare two. No React in here.

import type { ComparedModel, ListedPrice } from '../../../../../contract/price-sources.ts'
import { pricePerMillion } from '../price-form.ts'

const tokenKinds = ['input', 'output', 'cacheRead', 'cacheWrite', 'longInput', 'longOutput'] as const
type TokenKind = (typeof tokenKinds)[number]

export interface Costs {
  /** Dollars for a call. */
  readonly call?: number | undefined
  /** Dollars for a million tokens, as far as they are known. */
  readonly tokens: Readonly<Partial<Record<TokenKind, number>>>
  /** The tokens that input has to exceed to cost what long input does, where it costs something else. */
  readonly longFrom?: number | undefined
}

export function costsOf(price: ListedPrice): Costs {
  const { model_price, model_ratio, completion_ratio, cache_ratio, create_cache_ratio } = price
  if (model_price !== undefined) return { call: model_price, tokens: {} }
  const input = pricePerMillion({ ratio: model_ratio, completionRatio: 1 })?.prompt
  if (input === undefined) return { tokens: {} }
  const times = (ratio: number | undefined, cost: number | undefined = input) =>
    ratio === undefined ? undefined : cost * ratio
  const output = times(completion_ratio)
  const usual = { input, output, cacheRead: times(cache_ratio), cacheWrite: times(create_cache_ratio) }
  const { long_input_from: longFrom, long_input_ratio, long_output_ratio } = price
  if (longFrom === undefined) return { tokens: usual }
  const long = { longInput: times(long_input_ratio), longOutput: output && times(long_output_ratio, output) }
  return { tokens: { ...usual, ...long }, longFrom }
}

/** As the server has it: what differs less was only rounded. */
const SAME = 0.000_001

/** How much more they ask than we do, by the first figure that is another; undefined where there is nothing to set it against. */
export function surplusOf({ own, theirs }: Pick<ComparedModel, 'own' | 'theirs'>): number | undefined {
  if (!own) return undefined
  const [ours, others] = [costsOf(own), costsOf(theirs)]
  // Who asks nothing else for long input asks for it what is usual.
  const usual = { longInput: ours.tokens.input, longOutput: ours.tokens.output }
  const pairs = [
    [ours.call, others.call] as const,
    ...tokenKinds.map(kind => [{ ...usual, ...ours.tokens }[kind], others.tokens[kind]] as const),
  ]
  for (const [here, there] of pairs) {
    if (here === undefined || there === undefined || here === 0) continue
    const surplus = there / here - 1
    if (Math.abs(surplus) > SAME) return surplus
  }
  return undefined
}

/** Whole percents; what is less than one is told with a digit more. */
export function formatSurplus(surplus: number): string {
  const percent = surplus * 100
  const digits = Math.abs(percent) < 1 ? 2 : 0
  return `${percent > 0 ? '+' : '−'}${Number(Math.abs(percent).toFixed(digits))}%`
}

/** Those that are looked for, of those that are served or of all. */
export function findCompared(
  models: readonly ComparedModel[],
  { all, search }: { all: boolean; search: string },
): ComparedModel[] {
  const wanted = search.trim().toLowerCase()
  return models.filter(({ model, served }) => (all || served) && model.toLowerCase().includes(wanted))
}

/** The ticks that are still meant: those of rows that say what they said before. */
export function changedModels(before: readonly ComparedModel[], after: readonly ComparedModel[]): string[] {
  const now = new Map(after.map(row => [row.model, JSON.stringify(row)]))
  return before.filter(row => now.get(row.model) !== JSON.stringify(row)).map(({ model }) => model)
}
