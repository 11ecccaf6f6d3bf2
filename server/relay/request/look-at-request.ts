import {
  checkRequest,
  nameField,
  speaks as speaksInteraction,
} from '../../dialects/gemini-interactions/check-request.ts'
import { asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { goesOn } from '../../dialects/previous-answer.ts'
import { refuseField, refuseNamed } from '../../dialects/refuse.ts'
import type { DialectName } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'
import { readBodyTags } from '../labels/body-tags.ts'
import { type HostedTool, hostedTools, mayAct, mayFind } from './hosted-tools.ts'
import { withUsualTools } from './interaction-tools.ts'
import type { StoringDialect } from './match-route.ts'
import { type MediaSize, measureMedia } from './measure-media.ts'
import { refuseOddNames } from './odd-names.ts'
import type { JsonBody } from './read-body.ts'
import { type Failover, readFailover } from './read-failover.ts'

/** What has to be known of a chat request before anything is decided; the rest of it may stay unread. */
export interface Outline {
  readonly model: string
  readonly stream: boolean
  /** Whether it is to be made while nobody waits, and asked after later. */
  readonly background: boolean
  /** Undefined when the client set no limit. */
  readonly maxOutput: number | undefined
  readonly choices: number
  /** A chat client that wants the usage frame. */
  readonly wantsUsage: boolean
  /** Bytes of the body without the media in it. */
  readonly textLength: number
  readonly media: MediaSize
  readonly cacheWrites: 'minutes' | 'hour'
  /** Whether there are texts at which the answer is to end: it may be empty then. */
  readonly stops: boolean
  /** Whether no answer is wanted: only the vendor's cache is to be filled. */
  readonly silent: boolean
  /** Whether the request says that it is to be thought about first. */
  readonly thinks: boolean
  /** Whether the answer is to be spoken, which costs otherwise than written. */
  readonly speaks: boolean
  /** Tools of the vendor's own that cost extra. */
  readonly hosted: readonly HostedTool[] | undefined
  /** Whether tools of the vendor's own may find more for the model to read. */
  readonly finds: boolean
  /** Whether the model can say what it has to say to servers of the caller's, without an answer. */
  readonly acts: boolean
  /** Where it is to be computed, for which vendors ask more. */
  readonly geo: string | undefined
  readonly failover: Failover | undefined
  /** What the body says that the call is for. */
  readonly tags: readonly string[] | undefined
}

const LONGEST_MODEL = 256

export function lookAtRequest(
  dialect: DialectName,
  { text, json }: JsonBody,
  path: { readonly model?: string | undefined; readonly stream?: boolean | undefined },
): Outline {
  const isInteraction = dialect === 'gemini-interactions'
  if (isInteraction) checkRequest(json)
  // Answered with the name of an answer that is made all the same, that nobody here can fetch, and nobody would pay.
  if (dialect === 'openai-chat' && readSwitch('deferred', json.deferred)) refuseNamed('deferred')
  const asked = isInteraction ? nameField(json) : 'model'
  const generation = dialect === 'gemini' || isInteraction ? generationOf(json) : json
  const model = readModel(path.model ?? json[asked])
  const media = measureMedia(text, json, goesOn(json))
  const mayHaveTools = mayHaveHosted(dialect, json)
  const offering = isInteraction && mayHaveTools ? withUsualTools(json) : json
  return {
    model,
    stream: path.stream ?? readSwitch('stream', json.stream),
    background: storesWhole(dialect) && readSwitch('background', json.background),
    maxOutput: readLimit(dialect, generation ?? {}),
    choices:
      readCount(dialect === 'gemini' ? 'candidateCount' : 'n', choicesOf(dialect, generation ?? {})) ?? 1,
    wantsUsage: asObject(json.stream_options)?.include_usage === true,
    textLength: Buffer.byteLength(text) - media.length,
    media,
    cacheWrites: text.includes('"1h"') || keepsLong(json) ? 'hour' : 'minutes',
    stops: hasStops(generation ?? {}),
    silent: wantsNothing(dialect, json),
    thinks: asksToThink(json),
    speaks: isInteraction ? speaksInteraction(json) : asksToSpeak(dialect, generation ?? {}),
    hosted: mayHaveTools ? hostedTools(offering) : undefined,
    // Agents search by themselves.
    finds: asked === 'agent' || (mayHaveTools && mayFind(offering)),
    acts: mayHaveTools && mayAct(offering),
    geo: json.inference_geo ? asText(json.inference_geo) : undefined,
    failover: readFailover(json, model),
    tags: readBodyTags(json),
  }
}

/** Whether its answers can be made in the background. */
function storesWhole(dialect: DialectName): dialect is StoringDialect {
  return dialect === 'openai-responses' || dialect === 'gemini-interactions'
}

/** OpenAI's usual cache is kept for half an hour. */
function keepsLong({ prompt_cache_options }: JsonObject): boolean {
  return prompt_cache_options !== undefined && asObject(prompt_cache_options)?.ttl === '12h'
}

/** Responses may tell of tools anywhere in the conversation. */
function mayHaveHosted(dialect: DialectName, json: JsonObject): boolean {
  const { tools, web_search_options, enable_search, mcp_servers, input } = json
  if (tools || web_search_options || enable_search || mcp_servers) return true
  return dialect === 'openai-responses' && Array.isArray(input)
}

/** Of two spellings of one field it is not known which the upstream heeds, and money depends on it. */
function generationOf(json: JsonObject): JsonObject | undefined {
  refuseBoth(json, 'generationConfig', 'generation_config')
  const config = asObject(json.generationConfig ?? json.generation_config)
  if (config) {
    refuseOddNames(config)
    refuseBoth(config, 'maxOutputTokens', 'max_output_tokens')
    refuseBoth(config, 'candidateCount', 'candidate_count')
  }
  return config
}

function refuseBoth(json: JsonObject, field: string, other: string): void {
  if (json[field] !== undefined && json[other] !== undefined) refuseField(field, 'field.twice', { other })
}

export function readModel(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') throw new AppError('relay.model-required')
  if (value.length > LONGEST_MODEL || hasControlCharacter(value))
    refuseField('model', 'field.model-name', { most: LONGEST_MODEL })
  return value
}

function readSwitch(field: string, value: Json | undefined): boolean {
  if (value === undefined || value === null) return false
  if (typeof value !== 'boolean') refuseField(field, 'field.flag')
  return value
}

function wantsNothing(dialect: DialectName, body: JsonObject): boolean {
  if (dialect === 'anthropic') return isNought(dialect, body.max_tokens)
  const { generate, prompt_cache_options } = body
  if (generate === undefined && prompt_cache_options === undefined) return false
  return generate === false || asObject(prompt_cache_options)?.prewarm === true
}

function hasStops({ stop, stop_sequences, stopSequences }: JsonObject): boolean {
  return namesAny(stop) || namesAny(stop_sequences) || namesAny(stopSequences)
}

function namesAny(given: Json | undefined): boolean {
  return typeof given === 'string' ? given !== '' : Array.isArray(given) && given.length > 0
}

/** In the words of any dialect. */
function asksToThink({ reasoning_effort, reasoning, thinking, enable_thinking }: JsonObject): boolean {
  if (enable_thinking === true || saysOther(reasoning_effort, 'none')) return true
  return saysOther(asObject(reasoning)?.effort, 'none') || saysOther(asObject(thinking)?.type, 'disabled')
}

/** Whichever spelling the upstream heeds. */
function asksToSpeak(
  dialect: DialectName,
  { modalities, responseModalities, response_modalities }: JsonObject,
): boolean {
  if (dialect !== 'gemini') return namesSound(modalities)
  return namesSound(responseModalities) || namesSound(response_modalities)
}

function namesSound(given: Json | undefined): boolean {
  return Array.isArray(given) && given.some(one => typeof one === 'string' && one.toLowerCase() === 'audio')
}

function saysOther(value: Json | undefined, than: string): boolean {
  return typeof value === 'string' && value !== than
}

/** What a dialect calls the most that an answer may be. */
export const limitNames: Record<DialectName, readonly string[]> = {
  'openai-chat': ['max_completion_tokens', 'max_tokens'],
  'openai-responses': ['max_output_tokens'],
  anthropic: ['max_tokens'],
  gemini: ['maxOutputTokens', 'max_output_tokens'],
  'gemini-interactions': ['max_output_tokens'],
}

/** The largest that is named: whichever the upstream heeds, no more than this is meant. */
function readLimit(dialect: DialectName, body: JsonObject): number | undefined {
  let limit: number | undefined
  for (const name of limitNames[dialect]) {
    const value = isNought(dialect, body[name]) ? 0 : readCount(name, body[name])
    if (value !== undefined) limit = Math.max(limit ?? 0, value)
  }
  return limit
}

/** Anthropic's clients say so that they want no answer. */
function isNought(dialect: DialectName, limit: Json | undefined): boolean {
  return limit === 0 && dialect === 'anthropic'
}

function choicesOf(dialect: DialectName, body: JsonObject): Json | undefined {
  if (dialect === 'gemini') return body.candidateCount ?? body.candidate_count
  return dialect === 'openai-chat' ? body.n : undefined
}

/** Counts that money depends on: nothing but whole numbers from 1 is believed. */
export function readCount(field: string, value: Json | undefined): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
    refuseField(field, 'field.whole-from', { least: 1 })
  return value
}

function hasControlCharacter(value: string): boolean {
  for (let at = 0; at < value.length; at++) if (value.charCodeAt(at) < 32) return true
  return false
}
