import { AppError } from '../errors.ts'
import { asArray, asObject, asText, type Json, type JsonObject } from './json.ts'
import { refuseChoice, refuseFeature, refuseField } from './refuse.ts'
import type { TokenUsage } from './spec.ts'

/** A request for embeddings in no dialect. */
export interface EmbedRequest {
  readonly model: string
  readonly inputs: readonly string[]
  readonly dimensions?: number | undefined
  /** Google's word for what the vectors are for. */
  readonly taskType?: string | undefined
  /** Vectors as base64 of little-endian 32-bit floats. */
  readonly base64?: boolean | undefined
  readonly user?: string | undefined
}

const FLOAT = 4

export function readOpenaiEmbed(body: JsonObject): EmbedRequest {
  const model = asText(body.model)
  if (!model) throw new AppError('relay.model-required')
  const dimensions = readDimensions(body.dimensions, 'dimensions')
  const user = asText(body.user)
  return {
    model,
    inputs: readInputs(body.input),
    ...(dimensions !== undefined && { dimensions }),
    ...(readEncoding(body.encoding_format) === 'base64' && { base64: true }),
    ...(user && { user }),
  }
}

export function writeOpenaiEmbed(request: EmbedRequest, model: string): JsonObject {
  const body: JsonObject = { model, input: [...request.inputs] }
  if (request.dimensions !== undefined) body.dimensions = request.dimensions
  body.encoding_format = request.base64 ? 'base64' : 'float'
  if (request.user !== undefined) body.user = request.user
  return body
}

/** Undefined when it is no list of whole vectors. */
export function readOpenaiEmbedAnswer(body: JsonObject): number[][] | undefined {
  const items = asArray(body.data).map(asObject)
  const vectors: number[][] = []
  for (const [at, item] of items.entries()) {
    const vector = readVector(item?.embedding)
    const index = item?.index ?? at
    if (!vector || typeof index !== 'number' || !(index in items) || vectors[index]) return undefined
    vectors[index] = vector
  }
  return vectors.length > 0 ? vectors : undefined
}

export function writeOpenaiEmbedAnswer(
  vectors: readonly (readonly number[])[],
  about: { readonly model: string; readonly usage: TokenUsage; readonly base64?: boolean | undefined },
): JsonObject {
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: about.base64 ? encodeVector(vector) : [...vector],
    })),
    model: about.model,
    usage: { prompt_tokens: about.usage.input, total_tokens: about.usage.input + about.usage.output },
  }
}

export function readDimensions(value: Json | undefined, field: string): number | undefined {
  if (value === undefined || value === null) return undefined
  if (isCount(value) && value > 0) return value
  refuseField(field, 'field.whole-from', { least: 1 })
}

/** A list of finite numbers, or base64 of little-endian 32-bit floats. */
export function readVector(value: Json | undefined): number[] | undefined {
  const vector = typeof value === 'string' ? decodeVector(value) : value
  if (!Array.isArray(vector) || vector.length === 0) return undefined
  const numbers = vector.filter(item => typeof item === 'number')
  return numbers.length === vector.length && numbers.every(Number.isFinite) ? numbers : undefined
}

function encodeVector(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * FLOAT)
  vector.forEach((value, at) => {
    bytes.writeFloatLE(value, at * FLOAT)
  })
  return bytes.toString('base64')
}

function decodeVector(text: string): number[] | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length % FLOAT !== 0) return undefined
  return Array.from({ length: bytes.length / FLOAT }, (_, at) => bytes.readFloatLE(at * FLOAT))
}

function readInputs(value: Json | undefined): string[] {
  const inputs = typeof value === 'string' ? [value] : value
  if (!Array.isArray(inputs) || inputs.length === 0) refuseField('input', 'field.text-or-texts')
  return inputs.map((input, at) => readInput(input, at))
}

function readInput(input: Json, at: number): string {
  if (typeof input === 'number' || Array.isArray(input)) refuseFeature('feature.token-input')
  if (typeof input === 'string' && input !== '') return input
  refuseField(`input[${at}]`, 'field.text')
}

function readEncoding(value: Json | undefined): 'float' | 'base64' {
  if (value === undefined || value === null || value === 'float') return 'float'
  if (value === 'base64') return 'base64'
  refuseChoice('encoding_format', ['float', 'base64'])
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
