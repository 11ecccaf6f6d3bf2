import type { JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { PlainConversion } from '../define.ts'
import { picturesToEdit } from '../kit/edits/pictures-given.ts'
import { fitPicture } from './fit-picture.ts'

const kept = ['n', 'response_format', 'user', 'aspect_ratio', 'resolution', 'size', 'quality'] as const

/** It takes no form, and names one picture otherwise than several. */
export const editConversion: PlainConversion = {
  writeRequest(fields, to) {
    if (fields.mask !== undefined) refuseNamed('mask')
    const pictures = picturesToEdit(fields).map(url => ({ type: 'image_url', url }))
    const [first = null, second] = pictures
    const body: JsonObject = { model: fields.model, prompt: fields.prompt }
    if (second === undefined) body.image = first
    else body.images = pictures
    for (const name of kept) if (fields[name] !== undefined) body[name] = fields[name]
    return { ...body, ...fitPicture(body, to) }
  },
}
