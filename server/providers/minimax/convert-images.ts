import { asArray, asObject, asText, type JsonObject } from '../../dialects/json.ts'
import type { PlainConversion } from '../define.ts'

const extras = [
  'n',
  'seed',
  'aspect_ratio',
  'prompt_optimizer',
  'aigc_watermark',
  'style',
  'subject_reference',
] as const

export const imageConversion: PlainConversion = {
  writeRequest(fields) {
    const { model, prompt, size, response_format } = fields
    const body: JsonObject = {
      model,
      prompt,
      response_format: response_format === 'b64_json' ? 'base64' : 'url',
      ...readSize(asText(size)),
    }
    for (const name of extras) if (fields[name] !== undefined) body[name] = fields[name]
    return body
  },
  readAnswer({ data }) {
    const { image_urls, image_base64 } = asObject(data) ?? {}
    const pictures = [
      ...asArray(image_urls).flatMap(url => (asText(url) ? [{ url }] : [])),
      ...asArray(image_base64).flatMap(b64_json => (asText(b64_json) ? [{ b64_json }] : [])),
    ]
    return pictures.length === 0 ? undefined : { created: Math.floor(Date.now() / 1000), data: pictures }
  },
}

/** Sides between 512 and 2048 by eights; other sizes are left to the vendor. */
function readSize(size: string | undefined): JsonObject | undefined {
  const [, ...sides] = /^(\d{3,4})x(\d{3,4})$/.exec(size ?? '') ?? []
  const [width, height] = sides.map(Number).filter(side => side >= 512 && side <= 2048 && side % 8 === 0)
  return width && height ? { width, height } : undefined
}
