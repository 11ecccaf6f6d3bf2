import { isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import type { Edits } from '../../providers/define.ts'

/**
 * The tags that clients of LiteLLM put into a body: a list of texts, as `metadata.tags` or `litellm_metadata.tags`.
 * Undefined where there are none, as nearly always. No vendor knows a list there: OpenAI's metadata are texts by
 * names, of which one may well be called `tags`, and that stays the vendor's.
 */
export function readBodyTags({ metadata, litellm_metadata }: JsonObject): readonly string[] | undefined {
  if (metadata === undefined && litellm_metadata === undefined) return undefined
  const tags = [...tagsIn(metadata), ...tagsIn(litellm_metadata)]
  return tags.length === 0 ? undefined : tags
}

/** What was said to us is not told to the vendor, who would refuse it; the rest of its metadata goes on as it is. */
export function withoutBodyTags({ metadata, litellm_metadata }: JsonObject): Edits | undefined {
  if (metadata === undefined && litellm_metadata === undefined) return undefined
  const isTagged = isObject(metadata) && Array.isArray(metadata.tags)
  if (!isTagged && litellm_metadata === undefined) return undefined
  return {
    ...(isTagged ? { metadata: withoutTags(metadata) } : {}),
    ...(litellm_metadata === undefined ? {} : { litellm_metadata: undefined }),
  }
}

function withoutTags({ tags: _, ...rest }: JsonObject): JsonObject | undefined {
  return Object.keys(rest).length === 0 ? undefined : rest
}

function tagsIn(metadata: Json | undefined): string[] {
  if (!isObject(metadata) || !Array.isArray(metadata.tags)) return []
  return metadata.tags.filter(tag => typeof tag === 'string')
}
