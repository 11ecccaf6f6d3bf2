import { asArray, asNumber, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { Problem } from '../../dialects/spec.ts'
import type { PlainConversion } from '../define.ts'
import { nearestShape } from '../kit/edits/nearest-shape.ts'

/** The shapes that Imagen draws. */
const shapes = ['1:1', '3:4', '4:3', '9:16', '16:9']
const formats = new Map<Json | undefined, string>([
  ['png', 'image/png'],
  ['jpeg', 'image/jpeg'],
])
const FILTERED = 400

/** `quality`, `style` and the like have no counterpart and are let go; a size becomes the nearest shape. */
export const pictureConversion: PlainConversion = {
  writeRequest({ prompt, n, size, response_format, output_format }) {
    if (response_format === 'url') refuseNamed('response_format', 'url')
    const shape = typeof size === 'string' ? nearestShape(size, shapes) : undefined
    const mimeType = formats.get(output_format)
    if (output_format !== undefined && !mimeType) refuseNamed('output_format', output_format)
    return {
      instances: [{ prompt: asText(prompt) ?? '' }],
      parameters: {
        sampleCount: asNumber(n) ?? 1,
        includeRaiReason: true,
        ...(shape && { aspectRatio: shape }),
        ...(mimeType && { outputOptions: { mimeType } }),
      },
    }
  },
  readAnswer({ predictions }) {
    const data = asArray(predictions).flatMap(one => {
      const picture = asText(asObject(one)?.bytesBase64Encoded)
      return picture ? [{ b64_json: picture }] : []
    })
    return data.length === 0 ? undefined : { created: Math.floor(Date.now() / 1000), data }
  },
}

/** Every picture was held back, and why is said in place of it. */
export function readFiltered({ predictions }: JsonObject): Problem | undefined {
  const made = asArray(predictions).map(asObject)
  if (made.some(one => one?.bytesBase64Encoded)) return undefined
  const reason = made.map(one => asText(one?.raiFilteredReason)).find(Boolean)
  return reason ? { status: FILTERED, message: reason, code: 'content_policy_violation' } : undefined
}
