import { asArray, asNumber, asText, type Json, type JsonObject } from '../../../server/dialects/json.ts'
import { countTokens } from '../reply.ts'
import type { Answer } from '../script.ts'
import { fields } from '../shape.ts'
import { NO_TALLY, type Tally } from '../tally.ts'
import type { Call, Rendered } from '../upstream.ts'
import { editUsage } from '../write-frames.ts'
import { checkModel, checkTypes } from './check-fields.ts'
import { refuseOpenai } from './fail.ts'

const TOP = fields('model input encoding_format dimensions user')
const DIMENSIONS = 8

export function checkEmbeddings(call: Call): void {
  const accepted = call.options.accept ?? []
  const unknown = Object.keys(call.body).find(name => !(name in TOP) && !accepted.includes(name))
  if (unknown !== undefined) refuseOpenai(`Unrecognized request argument supplied: ${unknown}`)
  checkModel(call)
  checkTypes(call.body, { input: ['string', 'array'], dimensions: 'integer', encoding_format: 'string' })
  const { input, encoding_format: format } = call.body
  if (input === undefined || input === null || input === '' || (Array.isArray(input) && input.length === 0))
    refuseOpenai(
      "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.",
    )
  if (format !== undefined && format !== 'float' && format !== 'base64')
    refuseOpenai(`Invalid value: '${format}'. Supported values are: 'float' and 'base64'.`, 'encoding_format')
}

/** One text or several; numbers are tokens, one each. */
function readInputs(input: Json | undefined): (string | number[])[] {
  if (typeof input === 'string') return [input]
  const all = asArray(input)
  if (all.every(one => typeof one === 'number')) return [[...all]]
  return all.map(one => (Array.isArray(one) ? one.filter(token => typeof token === 'number') : String(one)))
}

export function countEmbeddings(body: JsonObject): Tally {
  const counts = readInputs(body.input).map(one => (typeof one === 'string' ? countTokens(one) : one.length))
  return { ...NO_TALLY, input: counts.reduce((sum, one) => sum + one, 0) }
}

/** The same text always has the same vector, of numbers that single precision holds exactly. */
export function embed(text: string, dimensions: number): number[] {
  const seed = Bun.hash.crc32(text)
  return Array.from({ length: dimensions }, (_, at) => (((seed >>> (at % 24)) & 255) - 128) / 256)
}

export function answerEmbeddings(call: Call, answer: Answer): Rendered {
  const { body } = call
  const tally = countEmbeddings(body)
  const dimensions = asNumber(body.dimensions) ?? DIMENSIONS
  const data = readInputs(body.input).map((one, index) => {
    const vector = embed(String(one), dimensions)
    const packed = Buffer.from(new Float32Array(vector).buffer).toString('base64')
    return { object: 'embedding', index, embedding: body.encoding_format === 'base64' ? packed : vector }
  })
  const usage = editUsage({ prompt_tokens: tally.input, total_tokens: tally.input }, answer)
  const said = { object: 'list', data, model: asText(body.model), usage }
  return { contentType: 'application/json', body: JSON.stringify(said), tally }
}
