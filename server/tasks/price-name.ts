import { AppError } from '../errors.ts'
import type { RelayParts } from '../relay/parts.ts'

/** A kind of a model may have a price of its own, as `model:1792x1024`; else it costs what the model does. */
export function priceNameOf(parts: RelayParts, model: string, kind: string | undefined): string | undefined {
  if (!kind) return undefined
  const name = `${model}:${kind}`
  try {
    return parts.prices().price(name).kind === 'call' ? name : undefined
  } catch (error) {
    if (error instanceof AppError && error.code === 'price.unknown-model') return undefined
    throw error
  }
}
