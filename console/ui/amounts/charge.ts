/** Tokens that have a price of their own, by what they are. The ratio is relative to the model's. */
export interface ChargePart {
  readonly kind: 'cacheRead' | 'cacheWrite' | 'cacheWriteHour' | 'image' | 'audio' | 'audioOutput'
  readonly tokens: number
  readonly ratio: number
}

/** What comes on top, as the vendor's own searches on the web; the price is for a thousand, in dollars. */
interface Extra {
  readonly count: number
  readonly price: number
}

interface Anyhow {
  readonly groupRatio: number
  /** The part of it that is asked for an answer which was made before. */
  readonly share?: number | undefined
  /** The part of it that is asked of what came in a batch. */
  readonly batch?: number | undefined
  readonly quotaPerUnit: number
  readonly searches?: Extra | undefined
  /** Of the vendor's other tools, by their names. */
  readonly tools?: readonly (Extra & { readonly name: string })[] | undefined
}

/** By tokens. `prompt` and `completion` are what is in no part. */
export interface Charge extends Anyhow {
  readonly prompt: number
  readonly completion: number
  readonly completionRatio: number
  readonly modelRatio: number
  readonly parts?: readonly ChargePart[]
}

/** By calls, in dollars. */
export interface CallCharge extends Anyhow {
  readonly price: number
  readonly calls: number
}

export function chargeInDollars(charge: Charge | CallCharge): number {
  const { searches, tools = [], share = 1, batch = 1 } = charge
  const extras = searches ? [...tools, searches] : tools
  const sum = extras.reduce((all, { count, price }) => all + count * price, 0)
  return (withoutExtras(charge) + (sum * charge.groupRatio) / 1000) * share * batch
}

function withoutExtras(charge: Charge | CallCharge): number {
  if ('price' in charge) return charge.price * charge.calls * charge.groupRatio
  const { prompt, completion, completionRatio, parts = [] } = charge
  const tokens = parts.reduce((sum, part) => sum + part.tokens * part.ratio, prompt)
  return (
    ((tokens + completion * completionRatio) * charge.modelRatio * charge.groupRatio) / charge.quotaPerUnit
  )
}

// Made once: an answer that streams in formats its price with every word.
const twoDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 })
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const exactly = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 })

/** Two significant digits below a cent, so that small charges do not read as nothing. */
export function formatSmallDollars(dollars: number): string {
  if (dollars === 0 || Math.abs(dollars) >= 0.01) return `$${cents.format(dollars)}`
  return `$${twoDigits.format(dollars)}`
}

/** What arithmetic comes to: nobody is to reckon after it and find something else. */
export function formatResult(dollars: number): string {
  return Math.abs(dollars) >= 0.01 ? `$${exactly.format(dollars)}` : formatSmallDollars(dollars)
}

interface Comparison {
  /** What the arithmetic comes to, in quota. */
  readonly sum: number
  /** `rounded`: charges are whole, and at least one. `other`: something else was charged. */
  readonly fit: 'exact' | 'rounded' | 'other'
  /** Charged beyond the arithmetic; negative where it was less. */
  readonly difference: number
}

const TINY = 1e-6

/** Whether what was charged is what the arithmetic says. */
export function compareWithCharged(charge: Charge | CallCharge, charged: number): Comparison {
  // Binary fractions would show as 183.30000000000001.
  const sum = Number((chargeInDollars(charge) * charge.quotaPerUnit).toPrecision(12))
  const difference = charged - sum
  const size = Math.abs(difference)
  return { sum, difference, fit: size <= TINY ? 'exact' : size <= 1 + TINY ? 'rounded' : 'other' }
}
