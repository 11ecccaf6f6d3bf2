import type { Target } from '../dialect.ts'
import type { JsonObject } from '../json.ts'
import type { NeutralRequest } from '../spec.ts'
import { stripSchemaMark, toGeminiSchema } from './gemini-schema.ts'
import { type ModelVersion, readModelVersion, takesJsonSchema, takesPenalties } from './model-version.ts'
import { writeThinking } from './thinking.ts'
import { writeContents } from './write-contents.ts'
import { writeTools } from './write-tools.ts'

const INT32 = 2 ** 31
const tiers = new Map([
  ['standard', 'standard'],
  ['standard_only', 'standard'],
  ['flex', 'flex'],
  ['priority', 'priority'],
])

export function writeRequest(request: NeutralRequest, target: Target): JsonObject {
  const version = readModelVersion(target.model)
  const body: JsonObject = { ...writeContents(request, version), ...writeTools(request, version) }
  const config = writeConfig(request, version)
  if (Object.keys(config).length > 0) body.generationConfig = config
  const tier = tiers.get(request.serviceTier ?? '')
  if (tier !== undefined) body.serviceTier = tier
  return body
}

function writeConfig(request: NeutralRequest, version: ModelVersion): JsonObject {
  const config: JsonObject = {
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    maxOutputTokens: request.maxOutput,
    stopSequences: request.stop && request.stop.length > 0 ? [...request.stop] : undefined,
    candidateCount: request.choices,
    responseLogprobs: request.logprobs === undefined ? undefined : true,
    logprobs: request.logprobs || undefined,
    seed: fitsInt32(request.seed) ? request.seed : undefined,
    ...(takesPenalties(version) && writePenalties(request)),
    thinkingConfig: writeThinking(request.reasoning, version),
    ...writeFormat(request, version),
  }
  for (const key of Object.keys(config)) if (config[key] === undefined) delete config[key]
  return config
}

function writePenalties({ frequencyPenalty, presencePenalty }: NeutralRequest): JsonObject {
  return { frequencyPenalty, presencePenalty }
}

function writeFormat(request: NeutralRequest, version: ModelVersion): JsonObject {
  const { format } = request
  if (!format) return {}
  const responseMimeType = 'application/json'
  if (format.type === 'json') return { responseMimeType }
  if (takesJsonSchema(version))
    return { responseMimeType, responseJsonSchema: stripSchemaMark(format.schema) }
  return { responseMimeType, responseSchema: toGeminiSchema(format.schema, 'response_format.schema') }
}

function fitsInt32(seed: number | undefined): boolean {
  return Number.isInteger(seed) && Number(seed) >= -INT32 && Number(seed) < INT32
}
