import type { TokenUsage } from '../../../dialects/spec.ts'

/** A count that can be believed. */
export function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** Undefined unless both are usable: half a usage would be charged as if it were whole. */
export function usageOf(
  input: unknown,
  output: unknown,
  more: Omit<TokenUsage, 'input' | 'output'> = {},
): TokenUsage | undefined {
  const read = asCount(input)
  const written = asCount(output)
  return read === undefined || written === undefined ? undefined : { input: read, output: written, ...more }
}
