import { asObject, asText, type JsonObject } from '../../dialects/json.ts'
import { TURBO_RATIO } from '../../ledger/price/kind-prices.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { priceNameOf } from '../price-name.ts'
import type { Submission } from '../submit.ts'

/** By its name, in whichever letters, or by the number that proxies know it by. */
const turbo: ReadonlySet<string> = new Set(['TURBO', '2'])

/** How a submission asks for it: every upstream heeds words, and only some heed the address. A long dash is two. */
export function asksForTurbo(body: JsonObject): boolean {
  if (/(?<!\S)(?:--|—)turbo(?!\S)/i.test(asText(body.prompt) ?? '')) return true
  const modes = asObject(body.accountFilter)?.modes
  return (Array.isArray(modes) ? modes : [modes]).some(mode => turbo.has(String(mode).trim().toUpperCase()))
}

/** Twice the price of the action, unless that has one of its own for it, as `mj_imagine:turbo`. */
export function priceOfTurbo(
  parts: RelayParts,
  model: string,
): Pick<Submission, 'priceName' | 'calls' | 'vendorDecides'> {
  const priceName = priceNameOf(parts, model, 'turbo')
  return priceName === undefined ? { calls: TURBO_RATIO, vendorDecides: true } : { priceName }
}
