import type { JsonObject } from '../../dialects/json.ts'
import type { Edits } from '../define.ts'

/** The vendor's names for size and count; what the client calls by them already stays. */
export function nameImageFields(body: JsonObject): Edits | undefined {
  const edits: Edits = {}
  if (body.size !== undefined) {
    edits.size = undefined
    if (body.image_size === undefined && body.size !== 'auto') edits.image_size = body.size
  }
  if (body.n !== undefined) {
    edits.n = undefined
    if (body.batch_size === undefined) edits.batch_size = body.n
  }
  return Object.keys(edits).length > 0 ? edits : undefined
}

/** Pictures come under `images`, where OpenAI's clients look for `data`. */
export function showImagesAsData(answer: JsonObject): Edits | undefined {
  return Array.isArray(answer.images) && answer.data === undefined ? { data: answer.images } : undefined
}
