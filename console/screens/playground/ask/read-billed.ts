import type { Trail } from '../../../../contract/logs.ts'
import type { Billed } from '../talk/conversation.ts'

/** What a request cost, by its trail; undefined while it is not settled. */
export function readBilled(trail: Trail): Billed | undefined {
  if (trail.state === 'open') return undefined
  const row = trail.logs.find(({ quota }) => quota === trail.charged)
  const billed = {
    quota: trail.charged,
    prompt: row?.prompt_tokens ?? 0,
    completion: row?.completion_tokens ?? 0,
  }
  const ratios = row && readRatios(row.other)
  if (!ratios) return billed
  const product = (billed.prompt + billed.completion * ratios.completion) * ratios.model * ratios.group
  // Caches, pictures and sound have prices of their own: then the plain product would be a false account.
  return Math.abs(product - billed.quota) <= 1 + ratios.model * ratios.group ? { ...billed, ratios } : billed
}

function readRatios(other: string): Billed['ratios'] {
  try {
    const { model_ratio: model, completion_ratio: completion, group_ratio: group } = JSON.parse(other)
    const known = [model, completion, group].every(ratio => typeof ratio === 'number')
    return known && model > 0 ? { model, completion, group } : undefined
  } catch {
    return undefined
  }
}
