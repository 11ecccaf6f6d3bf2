import type { JsonObject } from '../../../dialects/json.ts'
import type { GeminiCache } from '../../../relay/gemini/cache-rows.ts'

/** In Google's form, under our name. */
export function showCache(cache: GeminiCache): JsonObject {
  const { id, model, title, tokens, created_at, changed_at, wanted_until, expires_at, state } = cache
  return {
    name: `cachedContents/${id}`,
    model: `models/${model}`,
    ...(title !== '' && { displayName: title }),
    createTime: timeOf(created_at),
    updateTime: timeOf(changed_at),
    expireTime: timeOf(state === 'making' ? wanted_until : expires_at),
    usageMetadata: { totalTokenCount: tokens },
  }
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
