import type { JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { PlainConversion } from '../define.ts'
import { picturesToEdit } from '../kit/edits/pictures-given.ts'

const kept = [
  ...['response_format', 'output_format', 'seed', 'guidance_scale', 'watermark', 'optimize_prompt_options'],
  ...['sequential_image_generation', 'sequential_image_generation_options'],
]

/** Pictures are worked on where they are drawn: it is asked for another, with these beside the prompt. */
export const editConversion: PlainConversion = {
  writeRequest(fields) {
    if (fields.mask !== undefined) refuseNamed('mask')
    const [first, ...more] = picturesToEdit(fields)
    const body: JsonObject = {
      model: fields.model,
      prompt: fields.prompt,
      image: more.length === 0 ? first : [first, ...more],
    }
    if (fields.size !== undefined && fields.size !== 'auto') body.size = fields.size
    for (const name of kept) if (fields[name] !== undefined) body[name] = fields[name]
    return body
  },
}
