import { asNumber, asObject, type JsonObject } from '../../dialects/json.ts'
import type { Balance } from '../define.ts'

/**
 * What a key may still spend stands in one of three places: in its own quota, in what is left of its plan, or in
 * the wallet. Below zero means that a plan has no limit, which is no amount.
 */
export function readLeft({ quota, remaining, balance }: JsonObject): ReturnType<Balance['read']> {
  const amount = asNumber(asObject(quota)?.remaining) ?? asNumber(balance) ?? asNumber(remaining)
  return amount === undefined || amount < 0 ? undefined : { amount, currency: 'USD' }
}
