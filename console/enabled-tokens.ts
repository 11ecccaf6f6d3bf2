import { type TokenView, tokenEndpoints, tokenStatuses } from '../contract/tokens.ts'
import { call } from './api.ts'

const MOST_TOKENS = 100

/** The reader's own tokens that a call can be made with here, out of the first hundred: those whose keys are known. */
export async function loadEnabledTokens(signal: AbortSignal): Promise<TokenView[]> {
  const list = await call(tokenEndpoints.listTokens, { query: { p: 0, size: MOST_TOKENS }, signal })
  const tokens = Array.isArray(list) ? list : list.items
  return tokens.filter(({ status, key }) => status === tokenStatuses.enabled && key !== '')
}

export function mayCall(token: TokenView, model: string): boolean {
  return !token.model_limits_enabled || token.model_limits.split(',').includes(model)
}
