import type { Json, JsonObject } from '../json.ts'
import { refuseChoice, refuseFeature, refuseNamed } from '../refuse.ts'
import type { Effort, Format, NeutralRequest, Reasoning } from '../spec.ts'
import {
  readList,
  readOptionalFlag,
  readOptionalNumber,
  readOptionalObject,
  readOptionalText,
  readOptionalWhole,
  readSchema,
  readText,
} from './check-fields.ts'
import { toJsonSchema } from './gemini-schema.ts'

const AT = 'generationConfig'
const efforts = new Map<string, Effort>([
  ['MINIMAL', 'minimal'],
  ['LOW', 'low'],
  ['MEDIUM', 'medium'],
  ['HIGH', 'high'],
])

type Config = Pick<
  NeutralRequest,
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'frequencyPenalty'
  | 'presencePenalty'
  | 'seed'
  | 'stop'
  | 'maxOutput'
  | 'reasoning'
  | 'format'
  | 'choices'
  | 'logprobs'
>

export function readConfig(value: Json | undefined): Config {
  const config = readOptionalObject(value, AT)
  if (!config) return {}
  refuseWhatOnlyGeminiHas(config)
  const number = (name: string) => readOptionalNumber(config[name], `${AT}.${name}`)
  const stop = readList(config.stopSequences, `${AT}.stopSequences`).map((text, at) =>
    readText(text, `${AT}.stopSequences[${at}]`),
  )
  const read: Config = {
    temperature: number('temperature'),
    topP: number('topP'),
    topK: number('topK'),
    frequencyPenalty: number('frequencyPenalty'),
    presencePenalty: number('presencePenalty'),
    seed: readOptionalWhole(config.seed, `${AT}.seed`, Number.MIN_SAFE_INTEGER),
    stop: stop.length > 0 ? stop : undefined,
    maxOutput: readOptionalWhole(config.maxOutputTokens, `${AT}.maxOutputTokens`, 1),
    reasoning: readReasoning(config.thinkingConfig),
    format: readFormat(config),
    ...readSeveral(config),
  }
  return read
}

function readSeveral(config: JsonObject): Pick<Config, 'choices' | 'logprobs'> {
  const choices = readOptionalWhole(config.candidateCount, `${AT}.candidateCount`, 1) ?? 1
  const others = readOptionalWhole(config.logprobs, `${AT}.logprobs`, 0) ?? 0
  const wants = readOptionalFlag(config.responseLogprobs, `${AT}.responseLogprobs`)
  return { choices: choices > 1 ? choices : undefined, logprobs: wants ? others : undefined }
}

function refuseWhatOnlyGeminiHas(config: JsonObject): void {
  for (const name of ['responseFormat', 'audioTranscriptionConfig'] as const)
    if (config[name] !== undefined && config[name] !== null) refuseNamed(name)
  readList(config.responseModalities, `${AT}.responseModalities`).forEach((item, at) => {
    const modality = readText(item, `${AT}.responseModalities[${at}]`).toUpperCase()
    if (modality === 'IMAGE') refuseFeature('feature.image-output')
    if (modality === 'AUDIO') refuseFeature('feature.audio-output')
    if (modality === 'VIDEO') refuseFeature('feature.video-output')
  })
}

function readReasoning(value: Json | undefined): Reasoning | undefined {
  const field = `${AT}.thinkingConfig`
  const config = readOptionalObject(value, field)
  if (!config) return undefined
  const level = readOptionalText(config.thinkingLevel, `${field}.thinkingLevel`)?.toUpperCase()
  const effort = level === undefined ? undefined : efforts.get(level)
  if (level !== undefined && effort === undefined && level !== 'THINKING_LEVEL_UNSPECIFIED')
    refuseChoice(`${field}.thinkingLevel`, ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'])
  const budget = readOptionalWhole(config.thinkingBudget, `${field}.thinkingBudget`, -1)
  const visible = readOptionalFlag(config.includeThoughts, `${field}.includeThoughts`) ?? false
  return { ...(effort && { effort }), ...(budget !== undefined && { budget }), visible }
}

function readFormat(config: JsonObject): Format | undefined {
  const type = readOptionalText(config.responseMimeType, `${AT}.responseMimeType`)?.toLowerCase()
  const whole = readSchema(config.responseJsonSchema, `${AT}.responseJsonSchema`)
  const subset = readOptionalObject(config.responseSchema, `${AT}.responseSchema`)
  if (type !== undefined && type !== '' && type !== 'application/json' && type !== 'text/plain')
    refuseNamed('responseMimeType', type)
  const schema = whole ?? (subset && toJsonSchema(subset, `${AT}.responseSchema`))
  if (schema) return { type: 'schema', name: 'response', schema }
  return type === 'application/json' ? { type: 'json' } : undefined
}
