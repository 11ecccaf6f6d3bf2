import { asArray, asNumber, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { countTokens } from '../reply.ts'
import type { Answer } from '../script.ts'
import { fields } from '../shape.ts'
import { NO_TALLY } from '../tally.ts'
import type { Call, Rendered } from '../upstream.ts'
import { CREATED, editUsage } from '../write-frames.ts'
import { checkModel, checkTypes } from './check-fields.ts'
import { refuseModel, refuseOpenai } from './fail.ts'

const GENERATIONS =
  fields(`model prompt background moderation n output_compression output_format partial_images
  quality response_format size stream style user`)
const EDITS =
  fields(`model prompt image image[] mask background input_fidelity n output_compression output_format
  partial_images quality response_format size stream user`)
/** One dark pixel. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const TOKENS_PER_IMAGE = 272

export function checkGenerations(call: Call): void {
  const accepted = call.options.accept ?? []
  const unknown = Object.keys(call.body).find(name => !(name in GENERATIONS) && !accepted.includes(name))
  if (unknown !== undefined) refuseOpenai(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter')
  checkModel(call)
  checkTypes(call.body, { prompt: 'string', n: 'integer', size: 'string' })
  if (!call.body.prompt)
    refuseOpenai("Missing required parameter: 'prompt'.", 'prompt', 'missing_required_parameter')
  if (String(call.body.model).startsWith('gpt-image') && call.body.response_format !== undefined)
    refuseOpenai("Unknown parameter: 'response_format'.", 'response_format', 'unknown_parameter')
}

export function answerGenerations(call: Call, answer: Answer): Rendered {
  const { body } = call
  const prompt = asText(body.prompt) ?? ''
  const wantsUrl = !String(body.model).startsWith('gpt-image') && body.response_format !== 'b64_json'
  return writeImages(prompt, asNumber(body.n) ?? 1, 0, wantsUrl, answer)
}

export function checkEdits(call: Call): void {
  const form = call.seen.form ?? new FormData()
  const accepted = call.options.accept ?? []
  const unknown = [...form.keys()].find(name => !(name in EDITS) && !accepted.includes(name))
  if (unknown !== undefined) refuseOpenai(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter')
  for (const name of ['prompt', 'model'])
    if (typeof form.get(name) !== 'string')
      refuseOpenai(`Missing required parameter: '${name}'.`, name, 'missing_required_parameter')
  const model = String(form.get('model'))
  if (call.options.models !== undefined && !call.options.models.includes(model)) refuseModel(model)
  const images = [...form.getAll('image'), ...form.getAll('image[]')]
  if (images.length === 0 || images.some(image => !(image instanceof Blob) || image.size === 0))
    refuseOpenai("Missing required parameter: 'image'.", 'image', 'missing_required_parameter')
}

export function answerEdits(call: Call, answer: Answer): Rendered {
  const form = call.seen.form ?? new FormData()
  const images = [...form.getAll('image'), ...form.getAll('image[]')].length
  const count = Number(form.get('n') ?? 1)
  return writeImages(String(form.get('prompt')), count, images * 85, false, answer)
}

/** The same as JSON, whose pictures are elsewhere. */
export function checkNamedEdits(call: Call): void {
  const { body } = call
  const unknown = Object.keys(body).find(name => name !== 'images' && !(name in EDITS))
  if (unknown !== undefined) refuseOpenai(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter')
  checkModel(call)
  checkTypes(body, { prompt: 'string', images: 'array', mask: 'object', n: 'integer' })
  for (const one of [...asArray(body.images), ...(body.mask ? [body.mask] : [])]) {
    const { image_url, file_id } = asObject(one) ?? {}
    if ((image_url === undefined) === (file_id === undefined))
      refuseOpenai("Provide either 'image_url' or 'file_id'.", 'images')
  }
}

export function answerNamedEdits({ body }: Call, answer: Answer): Rendered {
  const images = asArray(body.images).length
  return writeImages(asText(body.prompt) ?? '', asNumber(body.n) ?? 1, images * 85, false, answer)
}

function writeImages(
  prompt: string,
  count: number,
  imageTokens: number,
  wantsUrl: boolean,
  answer: Answer,
): Rendered {
  const text = countTokens(prompt)
  const input = text + imageTokens
  const output = TOKENS_PER_IMAGE * count
  const image: JsonObject = wantsUrl ? { url: 'http://127.0.0.1:1/image.png' } : { b64_json: PIXEL }
  const usage = editUsage(
    {
      total_tokens: input + output,
      input_tokens: input,
      output_tokens: output,
      input_tokens_details: { text_tokens: text, image_tokens: imageTokens },
    },
    answer,
  )
  const body = { created: CREATED, data: Array.from({ length: count }, () => image), usage }
  return {
    contentType: 'application/json',
    body: JSON.stringify(body),
    tally: { ...NO_TALLY, input, output },
  }
}
