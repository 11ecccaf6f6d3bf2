import { formatCount } from '../../../format.ts'
import { plainNumber } from '../../../plain-number.ts'
import type { PriceRow } from './price-rows.ts'

export type PriceField = keyof PriceRow
export type FormTexts = Readonly<Record<PriceField, string>>
export type PriceFault = 'nameRequired' | 'nameTaken' | 'nameWrong' | 'number' | 'whole' | 'figureRequired'

const LONGEST_NAME = 255
const MOST = 1_000_000_000
const MOST_DECIMALS = 20

/** What a form with this row in it says. */
export function textsOf(row: PriceRow | undefined): FormTexts {
  const text = (value: number | undefined) => (value === undefined ? '' : inDigits(value))
  return {
    name: row?.name ?? '',
    price: text(row?.price),
    ratio: text(row?.ratio),
    completionRatio: text(row?.completionRatio),
    longInputRatio: text(row?.longInputRatio),
    longOutputRatio: text(row?.longOutputRatio),
    longInputFrom: text(row?.longInputFrom),
  }
}

/** As it would be typed: of what is tiny JavaScript writes powers of ten. */
function inDigits(value: number): string {
  const text = String(value)
  return text.includes('e-') ? value.toFixed(MOST_DECIMALS).replace(/\.?0+$/, '') : text
}

const ratioFields = [
  'ratio',
  'completionRatio',
  'longInputRatio',
  'longOutputRatio',
  'longInputFrom',
] as const

interface Read {
  readonly row: PriceRow
  readonly faults: Readonly<Partial<Record<PriceField, PriceFault>>>
}

/** `taken` are the names of other models. */
export function readForm(texts: FormTexts, taken: ReadonlySet<string>): Read {
  const name = texts.name.trim()
  const byCall = texts.price.trim() !== ''
  const figure = (field: (typeof ratioFields)[number]) => (byCall ? undefined : numberOf(texts[field]))
  const row = {
    name,
    price: numberOf(texts.price),
    ratio: figure('ratio'),
    completionRatio: figure('completionRatio'),
    longInputRatio: figure('longInputRatio'),
    longOutputRatio: figure('longOutputRatio'),
    longInputFrom: figure('longInputFrom'),
  }
  const faults: Partial<Record<PriceField, PriceFault>> = {}
  const nameFault = faultOfName(name, taken)
  if (nameFault) faults.name = nameFault
  const figures = byCall ? (['price'] as const) : ratioFields
  for (const field of figures) if (isWrong(texts[field])) faults[field] = 'number'
  if (!byCall && texts.ratio.trim() === '') faults.ratio = 'figureRequired'
  const { longInputFrom: from } = row
  if (from !== undefined && !(Number.isInteger(from) && from > 0)) faults.longInputFrom = 'whole'
  return { row, faults }
}

function faultOfName(name: string, taken: ReadonlySet<string>): PriceFault | undefined {
  if (name === '') return 'nameRequired'
  if (name.length > LONGEST_NAME || name === '__proto__') return 'nameWrong'
  return taken.has(name) ? 'nameTaken' : undefined
}

function isWrong(text: string): boolean {
  return text.trim() !== '' && numberOf(text) === undefined
}

function numberOf(text: string): number | undefined {
  const digits = plainNumber(text)
  if (!/^\d{1,10}(\.\d{1,20})?$/.test(digits)) return undefined
  const value = Number(digits)
  return value <= MOST ? value : undefined
}

const DOLLARS_AT_RATIO_ONE = 2

/** Dollars for a million tokens, before any group's ratio. */
export function pricePerMillion({ ratio, completionRatio }: Pick<PriceRow, 'ratio' | 'completionRatio'>) {
  if (ratio === undefined) return undefined
  const prompt = DOLLARS_AT_RATIO_ONE * ratio
  return { prompt, completion: prompt * (completionRatio ?? 1) }
}

/** As many tokens of input are long where nobody says otherwise. */
export const LONG_INPUT = 200_000

/** The ratios that take the place of the usual ones when the input has more than `over` tokens, as the server has it. */
export function longRatiosOf(row: Omit<PriceRow, 'name' | 'price'>) {
  const input = row.longInputRatio ?? 1
  const output = row.longOutputRatio ?? input
  // Nothing is free for being long.
  if (row.ratio === undefined || input === 0 || (input === 1 && output === 1)) return undefined
  return {
    over: row.longInputFrom ?? LONG_INPUT,
    ratio: row.ratio * input,
    completionRatio: ((row.completionRatio ?? 1) * output) / input,
  }
}

const figures = new Intl.NumberFormat('en-US', {
  ...{ maximumFractionDigits: 2, maximumSignificantDigits: 5, useGrouping: false },
  roundingPriority: 'morePrecision',
})

/** For reading: no noise of binary fractions, and no more digits than tell two prices apart. */
export function formatFigure(value: number): string {
  return figures.format(value)
}

/** Cents at least, as prices are written. */
export function formatDollars(value: number): string {
  const [whole = '', cents = ''] = formatFigure(value).split('.')
  return `$${formatCount(Number(whole))}.${cents.padEnd(2, '0')}`
}
