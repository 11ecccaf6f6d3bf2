import { asArray, asNumber, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseFeature } from '../../dialects/refuse.ts'
import type { PlainConversion } from '../define.ts'
import { asCount } from '../kit/answers/count.ts'
import { googleName } from './address.ts'

/** Google's task for what a vector is for stays as the client gave it. */
export const embedConversion: PlainConversion = {
  writeRequest({ input, dimensions, task_type }, to) {
    const texts = googleName(to).startsWith('gemini') ? [onlyText(input)] : textsOf(input)
    return {
      instances: texts.map(content => ({ content, ...(task_type !== undefined && { task_type }) })),
      ...(dimensions !== undefined && { parameters: { outputDimensionality: dimensions } }),
    }
  },
  readAnswer({ predictions }, { model }) {
    const found = asArray(predictions).map(one => asObject(asObject(one)?.embeddings))
    if (found.length === 0 || found.some(one => !Array.isArray(one?.values))) return undefined
    const counts = found.map(one => asCount(asObject(one?.statistics)?.token_count))
    const tokens = counts.every(count => count !== undefined)
      ? counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
      : undefined
    const answer: JsonObject = {
      object: 'list',
      data: found.map((one, index) => ({ object: 'embedding', index, embedding: one?.values ?? [] })),
      model,
    }
    if (tokens) answer.usage = { prompt_tokens: tokens, total_tokens: tokens }
    return answer
  },
}

/** The newer ones are asked otherwise, and are told in the text itself what it is for. */
export const contentConversion: PlainConversion = {
  writeRequest: ({ input, dimensions }) => ({
    content: { parts: [{ text: onlyText(input) }] },
    ...(dimensions !== undefined && { outputDimensionality: dimensions }),
  }),
  readAnswer({ embedding, usageMetadata }, { model }) {
    const values = asObject(embedding)?.values
    if (!Array.isArray(values)) return undefined
    const tokens = asCount(asObject(usageMetadata)?.promptTokenCount)
    return {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: values }],
      model,
      ...(tokens && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
    }
  },
}

function textsOf(input: Json | undefined): readonly Json[] {
  return typeof input === 'string' ? [input] : asArray(input)
}

/** Gemini's vectors come one by one. */
function onlyText(input: Json | undefined): Json {
  const [text = '', second] = textsOf(input)
  if (second !== undefined) refuseFeature('feature.several-inputs')
  return text
}

export const imageConversion: PlainConversion = {
  writeRequest({ prompt, n, size }) {
    const aspectRatio = ratioOf(asText(size))
    return {
      instances: [{ prompt }],
      parameters: { sampleCount: asNumber(n) ?? 1, ...(aspectRatio && { aspectRatio }) },
    }
  },
  readAnswer({ predictions }) {
    const data = asArray(predictions).flatMap(readPicture)
    return data.length === 0 ? undefined : { created: Math.floor(Date.now() / 1000), data }
  },
}

function readPicture(prediction: Json): JsonObject[] {
  const b64_json = asText(asObject(prediction)?.bytesBase64Encoded)
  return b64_json ? [{ b64_json }] : []
}

const RATIOS = ['1:1', '3:4', '4:3', '9:16', '16:9'] as const

/** The nearest that it knows. */
function ratioOf(size: string | undefined): string | undefined {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size ?? '') ?? []
  if (!Number(width) || !Number(height)) return undefined
  const wanted = Math.log(Number(width) / Number(height))
  const distance = (ratio: string): number => {
    const [across = 1, down = 1] = ratio.split(':').map(Number)
    return Math.abs(Math.log(across / down) - wanted)
  }
  return RATIOS.reduce<string>((best, one) => (distance(one) < distance(best) ? one : best), '1:1')
}
