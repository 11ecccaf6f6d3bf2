import { type EmbedRequest, readDimensions, readVector } from '../embeddings.ts'
import { asArray, asObject, type Json, type JsonObject } from '../json.ts'
import { refuseFeature, refuseField } from '../refuse.ts'
import { readList, readObject, readOptionalText, readText } from './check-fields.ts'
import { normaliseNames } from './normalise-names.ts'

interface One {
  readonly input: string
  readonly dimensions: number | undefined
  readonly taskType: string | undefined
}

/** embedContent, or batchEmbedContents when `batch`. */
export function readGeminiEmbed(
  body: JsonObject,
  path: { readonly model: string },
  batch: boolean,
): EmbedRequest {
  const named = normaliseNames(body)
  const items = batch ? readList(named.requests, 'requests') : [named]
  if (items.length === 0) refuseField('requests', 'field.some')
  const all = items.map((item, at) => readOne(item, batch ? `requests[${at}].` : ''))
  const { dimensions, taskType } = all[0] ?? {}
  if (all.some(one => one.dimensions !== dimensions || one.taskType !== taskType))
    refuseFeature('feature.mixed-batch')
  return {
    model: path.model,
    inputs: all.map(one => one.input),
    ...(dimensions !== undefined && { dimensions }),
    ...(taskType && { taskType }),
  }
}

export function writeGeminiEmbed(request: EmbedRequest, model: string): JsonObject {
  const name = model.startsWith('models/') ? model : `models/${model}`
  return {
    requests: request.inputs.map(text => {
      const one: JsonObject = { model: name, content: { parts: [{ text }] } }
      if (request.taskType !== undefined) one.taskType = request.taskType
      if (request.dimensions !== undefined) one.outputDimensionality = request.dimensions
      return one
    }),
  }
}

/** Undefined when a vector is missing or broken. */
export function readGeminiEmbedAnswer(body: JsonObject): number[][] | undefined {
  const items = body.embedding === undefined ? asArray(body.embeddings) : [body.embedding]
  const vectors = items.flatMap(item => {
    const vector = readVector(asObject(item)?.values)
    return vector ? [vector] : []
  })
  return vectors.length > 0 && vectors.length === items.length ? vectors : undefined
}

export function writeGeminiEmbedAnswer(vectors: readonly (readonly number[])[], batch: boolean): JsonObject {
  const embeddings = vectors.map(vector => ({ values: [...vector] }))
  return batch ? { embeddings } : { embedding: embeddings[0] }
}

function readOne(value: Json, field: string): One {
  const one = readObject(value, field.slice(0, -1))
  const content = readObject(one.content, `${field}content`)
  const parts = readList(content.parts, `${field}content.parts`)
  const input = parts.map((part, at) => readPartText(part, `${field}content.parts[${at}]`)).join('\n')
  if (input === '') refuseField(`${field}content`, 'field.holds-text')
  return {
    input,
    dimensions: readDimensions(one.outputDimensionality, `${field}outputDimensionality`),
    taskType: readOptionalText(one.taskType, `${field}taskType`) || undefined,
  }
}

function readPartText(value: Json, field: string): string {
  const part = readObject(value, field)
  if (part.inlineData ?? part.fileData) refuseFeature('feature.media-embeddings')
  return readText(part.text, `${field}.text`)
}
