import type { JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { Edits, PlainConversion } from '../define.ts'
import { picturesToEdit } from '../kit/edits/pictures-given.ts'

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

const kept = ['negative_prompt', 'seed', 'num_inference_steps', 'guidance_scale', 'cfg'] as const
const PLACES = ['image', 'image2', 'image3'] as const

/** Pictures are worked on where they are drawn; each has a name of its own beside the prompt. */
export const editConversion: PlainConversion = {
  writeRequest(fields, { model }) {
    if (fields.mask !== undefined) refuseNamed('mask')
    const pictures = picturesToEdit(fields)
    if (pictures.length > PLACES.length) refuseNamed('images')
    const body: JsonObject = { model, prompt: fields.prompt }
    for (const [at, picture] of pictures.entries()) body[PLACES[at] ?? ''] = picture
    for (const name of kept) if (fields[name] !== undefined) body[name] = fields[name]
    // What is made has the shape of what came, but by models that can also do without.
    const { size, n } = fields
    const asked = {
      ...(size !== undefined && !model.includes('-Edit') && { size }),
      ...(n !== undefined && { n }),
    }
    const { image_size, batch_size } = nameImageFields(asked) ?? {}
    if (image_size !== undefined) body.image_size = image_size
    if (batch_size !== undefined) body.batch_size = batch_size
    return body
  },
  readAnswer: answer => ({ ...answer, ...showImagesAsData(answer) }),
}
