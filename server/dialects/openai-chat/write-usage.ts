import type { JsonObject } from '../json.ts'
import type { TokenUsage } from '../spec.ts'

/** The dialect has no word for cache writes kept for an hour: they are among all cache writes. */
export function writeUsage(usage: TokenUsage): JsonObject {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead ?? 0,
      cache_write_tokens: usage.cacheWrite ?? 0,
      audio_tokens: usage.audioInput ?? 0,
      ...(usage.imageInput === undefined ? {} : { image_tokens: usage.imageInput }),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning ?? 0,
      audio_tokens: usage.audioOutput ?? 0,
      ...(usage.imageOutput === undefined ? {} : { image_tokens: usage.imageOutput }),
    },
  }
}
