import { asArray, asObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseFeature } from '../../dialects/refuse.ts'
import type { PlainConversion } from '../define.ts'

const kept = ['dimensions', 'instructions', 'sparse_embedding'] as const

/** Models that see, besides reading: they have an address of their own. */
export function seesToo({ model }: { readonly model: string }): boolean {
  return /embedding-vision/i.test(model)
}

/** What a request holds, texts and pictures, becomes one vector there. */
export const visionConversion: PlainConversion = {
  writeRequest(fields) {
    const body: JsonObject = { model: fields.model, input: writeParts(fields.input) }
    for (const name of kept) if (fields[name] !== undefined) body[name] = fields[name]
    return body
  },
  readAnswer(body) {
    if (Array.isArray(body.data)) return body
    const { embedding, sparse_embedding } = asObject(body.data) ?? {}
    if (!Array.isArray(embedding)) return undefined
    const one = { object: 'embedding', index: 0, embedding, ...(sparse_embedding && { sparse_embedding }) }
    return { ...body, object: 'list', data: [one] }
  },
}

/** Several texts are several wishes, of which it takes one at a time. */
function writeParts(input: Json | undefined): Json[] {
  const parts = Array.isArray(input) ? asArray(input) : [input ?? '']
  if (parts.some(part => typeof part === 'number' || Array.isArray(part)))
    refuseFeature('feature.token-input')
  if (parts.length > 1 && parts.some(part => typeof part === 'string'))
    refuseFeature('feature.several-inputs')
  return parts.map(part => (typeof part === 'string' ? { type: 'text', text: part } : part))
}
