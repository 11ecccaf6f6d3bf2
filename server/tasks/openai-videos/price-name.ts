import { AppError } from '../../errors.ts'
import type { RelayParts } from '../../relay/parts.ts'

/** A size may have a price of its own, as `model:1792x1024`; else it costs what the model does. */
export function priceNameOf(parts: RelayParts, model: string, size: string | undefined): string | undefined {
  if (!size) return undefined
  const name = `${model}:${size}`
  try {
    return parts.prices().price(name).kind === 'call' ? name : undefined
  } catch (error) {
    if (error instanceof AppError && error.code === 'price.unknown-model') return undefined
    throw error
  }
}
