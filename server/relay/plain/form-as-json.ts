import { isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { tellMediaType } from '../media/tell-media-type.ts'
import { type Form, textsIn } from '../request/parse-multipart.ts'
import type { PlainCall } from './plain-call.ts'

/** What is words even where it looks like a number. */
const words = new Set(['model', 'prompt', 'negative_prompt', 'user', 'size'])
/** Where pictures stand: words under these names are none. */
const pictures = new Set(['image', 'images', 'mask'])
const USUAL = 'image/png'

/** What a form wants of pictures, as OpenAI takes it in JSON too: for vendors that take no forms. */
export function formAsJson({ fields }: PlainCall, form: Form): JsonObject {
  const read: JsonObject = { ...fields }
  for (const [name, text] of Object.entries(textsIn(form)))
    if (!pictures.has(name) && !isObject(fields[name])) read[name] = words.has(name) ? text : meantBy(text)
  const files = form.parts.filter(({ isFile }) => isFile)
  const [mask] = files.filter(({ name }) => name === 'mask')
  read.images = files.filter(part => part !== mask).map(part => packed(form, part))
  if (mask) read.mask = packed(form, mask)
  return read
}

function meantBy(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}

function packed({ bytes }: Form, { start, end, contentType }: Form['parts'][number]): JsonObject {
  const picture = bytes.subarray(start, end)
  // Many programs send any file as bytes of no kind.
  const types = [tellMediaType(picture, null), contentType?.split(';', 1)[0]?.trim()]
  const type = types.find(one => one?.startsWith('image/')) ?? USUAL
  return { image_url: `data:${type};base64,${picture.toString('base64')}` }
}
