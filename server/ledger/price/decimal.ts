import { AppError } from '../../errors.ts'

/**
 * A ratio or a price as settings and snapshots hold it: a JSON number, which means exactly what its shortest
 * decimal text says, or a quotient of whole numbers where no such number exists (1/3).
 */
export type Exact = number | `${bigint}/${bigint}`

/** What is calculated with; never negative, never rounded. */
export interface Fraction {
  readonly over: bigint
  readonly under: bigint
}

const decimalText = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/
const quotientText = /^(\d+)\/(\d*[1-9]\d*)$/

export function fraction(value: Exact): Fraction {
  const text = String(value)
  const quotient = quotientText.exec(text)
  if (quotient) return lowestTerms(BigInt(quotient[1] ?? ''), BigInt(quotient[2] ?? ''))
  const decimal = decimalText.exec(text)
  if (!decimal) throw new AppError('server.internal', {}, new Error(`${text} is no ratio or price`))
  const [, whole = '', decimals = '', exponent = '0'] = decimal
  const digits = BigInt(whole + decimals)
  const shift = Number(exponent) - decimals.length
  return shift >= 0
    ? { over: digits * 10n ** BigInt(shift), under: 1n }
    : lowestTerms(digits, 10n ** BigInt(-shift))
}

export function multiply(...values: readonly (Exact | Fraction)[]): Fraction {
  let over = 1n
  let under = 1n
  for (const value of values) {
    const factor = typeof value === 'object' ? value : fraction(value)
    over *= factor.over
    under *= factor.under
  }
  return lowestTerms(over, under)
}

export function divide(value: Exact, by: Exact): Fraction {
  const { over, under } = fraction(by)
  return multiply(value, { over: under, under: over })
}

/** The form in which it can be stored. */
export function exact(value: Fraction): Exact {
  const near = Number(value.over) / Number(value.under)
  if (Number.isFinite(near)) {
    const read = fraction(near)
    if (read.over * value.under === value.over * read.under) return near
  }
  return `${value.over}/${value.under}`
}

/** For people to read; no charge is calculated from it. */
export function toNumber(value: Exact): number {
  if (typeof value === 'number') return value
  const { over, under } = fraction(value)
  return Number(over) / Number(under)
}

/** Half a unit counts as one. */
export function roundHalfUp(over: bigint, under: bigint): bigint {
  return (2n * over + under) / (2n * under)
}

export function leastCommonMultiple(a: bigint, b: bigint): bigint {
  return (a / greatestCommonDivisor(a, b)) * b
}

/** An amount that balances can hold. */
export function safeAmount(amount: bigint): number {
  if (amount > BigInt(Number.MAX_SAFE_INTEGER)) throw new AppError('price.too-high')
  return Number(amount)
}

/** A number of tokens, calls or dollars that came from outside: whole, not negative and exact, or refused. */
export function countOf(name: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new AppError('price.amount', { name })
  return value
}

function lowestTerms(over: bigint, under: bigint): Fraction {
  const divisor = greatestCommonDivisor(over, under)
  return { over: over / divisor, under: under / divisor }
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}
