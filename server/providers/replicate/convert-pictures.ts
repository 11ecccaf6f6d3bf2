import { asArray, asNumber, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { PlainConversion } from '../define.ts'
import { nearestShape } from '../kit/edits/nearest-shape.ts'
import { encodeSegment } from '../kit/url.ts'
import { versionOf } from './address.ts'

const shapes = ['1:1', '16:9', '9:16', '3:2', '2:3', '4:5', '5:4', '4:3', '3:4']
/** What OpenAI has and no model there; all else that a caller names is an input of the model. */
const openaiOnly = new Set([
  ...['model', 'prompt', 'n', 'size', 'response_format', 'output_format', 'user', 'stream', 'partial_images'],
  ...['quality', 'style', 'background', 'moderation', 'output_compression'],
])
const underWay = new Set<Json | undefined>(['starting', 'processing'])

export const pictureConversion: PlainConversion = {
  namesInputs: true,
  writeRequest(fields, { model }) {
    // Pictures come by their address.
    if (fields.response_format === 'b64_json') refuseNamed('response_format', 'b64_json')
    const version = versionOf(model)
    return { ...(version !== undefined && { version }), input: writeInput(fields) }
  },
  nextPath(body) {
    const { id, status } = body
    if (!underWay.has(status) || !asText(id) || hasAll(body)) return undefined
    return `/v1/predictions/${encodeSegment(String(id))}`
  },
  readAnswer({ output }) {
    const data = picturesIn(output).map(writePicture)
    return data.length === 0 ? undefined : { created: Math.floor(Date.now() / 1000), data }
  },
}

function writeInput(fields: JsonObject): JsonObject {
  const { prompt, n, size, output_format } = fields
  const input: JsonObject = { prompt }
  const shape = typeof size === 'string' ? nearestShape(size, shapes) : undefined
  if (shape) input.aspect_ratio = shape
  if ((asNumber(n) ?? 1) > 1) input.num_outputs = n
  if (output_format !== undefined) input.output_format = output_format === 'jpeg' ? 'jpg' : output_format
  for (const name of Object.keys(fields)) if (!openaiOnly.has(name)) input[name] = fields[name]
  return input
}

/** What was waited for may be there before it is said to be done. */
function hasAll({ input, output }: JsonObject): boolean {
  const pictures = picturesIn(output)
  return pictures.length > 0 && pictures.length >= (asNumber(asObject(input)?.num_outputs) ?? 1)
}

function picturesIn(output: Json | undefined): readonly string[] {
  const all = typeof output === 'string' ? [output] : asArray(output)
  return all.flatMap(one => asText(one) || [])
}

function writePicture(picture: string): JsonObject {
  const [, packed] = /^data:[^,]*;base64,(.*)$/s.exec(picture) ?? []
  return packed === undefined ? { url: picture } : { b64_json: packed }
}
