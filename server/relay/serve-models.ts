import type { JsonObject } from '../dialects/json.ts'
import { refuseField } from '../dialects/refuse.ts'
import { AppError } from '../errors.ts'
import { providerOf } from '../providers/index.ts'
import type { Admitted } from './callers/authorise.ts'
import type { RelayParts } from './parts.ts'
import type { Incoming } from './request/incoming.ts'
import type { Route } from './request/match-route.ts'
import { candidatesFor } from './routing/groups-in-turn.ts'

type Parts = Pick<RelayParts, 'channels'>
type ModelsRoute = Extract<Route, { kind: 'models' }>

/** Nobody knows when a model of any vendor was made, and clients want a date. */
const CREATED = 1_626_777_600
const CREATED_TEXT = new Date(CREATED * 1000).toISOString().replace('.000', '')
/** The most that the vendors put on a page. Also what clients get who ask for none: many read only one. */
const LONGEST_PAGE = 1000

/** The models that the caller may use, as the vendor whose client asks would list them. */
export function serveModels(
  parts: Parts,
  { request }: Pick<Incoming, 'request'>,
  { dialect, id }: ModelsRoute,
  admitted: Admitted,
): Response {
  if (id !== undefined) checkModel(parts, admitted, id)
  const query = queryOf(request.url)
  switch (dialect) {
    case 'anthropic':
      return Response.json(
        id === undefined ? listForAnthropic(modelsFor(parts, admitted), query) : anthropicModel(id),
      )
    case 'gemini':
      return Response.json(
        id === undefined ? listForGemini(modelsFor(parts, admitted), query) : geminiModel(id),
      )
    default: {
      const describe = (model: string): JsonObject => openAiModel(parts, admitted, model)
      if (id !== undefined) return Response.json(describe(id))
      const data = modelsFor(parts, admitted).map(describe)
      return Response.json({ success: true, object: 'list', data })
    }
  }
}

/** Sorted by name. */
export function modelsFor({ channels }: Parts, { group, groups, caller }: Admitted): readonly string[] {
  const all = groups
    ? [...new Set(groups.flatMap(one => channels.modelsOf(one)))].sort()
    : channels.modelsOf(group)
  const { models } = caller
  return models ? all.filter(model => models.has(model)) : all
}

function checkModel({ channels }: Parts, admitted: Admitted, model: string): void {
  const { models } = admitted.caller
  const usable = candidatesFor(channels, admitted, model).length > 0 && (models?.has(model) ?? true)
  if (!usable) throw new AppError('relay.model-unknown', { model: model.slice(0, 200) })
}

function queryOf(url: string): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
}

function readSize(query: URLSearchParams, name: string): number {
  const given = query.get(name)
  if (given === null || given === '') return LONGEST_PAGE
  if (!/^\d{1,9}$/.test(given) || Number(given) < 1) refuseField(name, 'field.whole-from', { least: 1 })
  return Math.min(Number(given), LONGEST_PAGE)
}

// ── OpenAI ──────────────────────────────────────────────────────────────────────────────────────────────

function openAiModel({ channels }: Parts, admitted: Admitted, model: string): JsonObject {
  const channel = candidatesFor(channels, admitted, model)[0]?.[0]
  return {
    id: model,
    object: 'model',
    created: CREATED,
    owned_by: (channel && providerOf(channel.type)?.id) ?? 'custom',
    supported_endpoint_types: [...endpointTypes[kindOf(model)]],
  }
}

export type Kind = 'chat' | 'embeddings' | 'rerank' | 'images' | 'search' | 'ocr' | 'other'

const endpointTypes: Readonly<Record<Kind, readonly string[]>> = {
  chat: ['openai', 'anthropic', 'gemini', 'openai-response'],
  embeddings: ['embeddings'],
  rerank: ['jina-rerank'],
  images: ['image-generation'],
  search: ['search'],
  ocr: ['ocr'],
  other: ['openai'],
}

/** By the name alone; the first that fits. */
const kindNames: readonly (readonly [RegExp, Kind])[] = [
  [/rerank/i, 'rerank'],
  [/^mistral-(?:ocr|document-ai)/i, 'ocr'],
  [/-search$/i, 'search'],
  [/embed|^(?:bge|m3e|e5|gte)-/i, 'embeddings'],
  [/^(?:dall-e|gpt-image|chatgpt-image|imagen|flux|stable-diffusion|sd3|cogview|kolors|seedream)/i, 'images'],
  [/whisper|transcribe|moderation|realtime|(?:^|-)tts(?:-|$)/i, 'other'],
]

export function kindOf(model: string): Kind {
  const name = model.slice(model.lastIndexOf('/') + 1)
  return kindNames.find(([pattern]) => pattern.test(name))?.[1] ?? 'chat'
}

// ── Anthropic ───────────────────────────────────────────────────────────────────────────────────────────

function anthropicModel(model: string): JsonObject {
  return { type: 'model', id: model, display_name: model, created_at: CREATED_TEXT }
}

/** Pages begin or end beside a name, whether or not that model still exists. */
function listForAnthropic(models: readonly string[], query: URLSearchParams): JsonObject {
  const size = readSize(query, 'limit')
  const after = query.get('after_id')
  const before = query.get('before_id')
  const rest = models.filter(model => (after ? model > after : !before || model < before))
  const page = before && !after ? rest.slice(-size) : rest.slice(0, size)
  return {
    data: page.map(anthropicModel),
    first_id: page[0] ?? null,
    last_id: page.at(-1) ?? null,
    has_more: rest.length > page.length,
  }
}

// ── Gemini ──────────────────────────────────────────────────────────────────────────────────────────────

const generationMethods: Readonly<Record<Kind, readonly string[]>> = {
  chat: ['generateContent', 'streamGenerateContent', 'countTokens'],
  embeddings: ['embedContent', 'batchEmbedContents'],
  rerank: [],
  images: [],
  search: [],
  ocr: [],
  other: [],
}

function geminiModel(model: string): JsonObject {
  return {
    name: `models/${model}`,
    version: '001',
    displayName: model,
    description: model,
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: [...generationMethods[kindOf(model)]],
  }
}

function listForGemini(models: readonly string[], query: URLSearchParams): JsonObject {
  const size = readSize(query, 'pageSize')
  const after = readPageToken(query.get('pageToken'))
  const rest = after === '' ? models : models.filter(model => model > after)
  const page = rest.slice(0, size)
  const last = rest.length > page.length ? page.at(-1) : undefined
  return {
    models: page.map(geminiModel),
    ...(last !== undefined && { nextPageToken: Buffer.from(last).toString('base64url') }),
  }
}

/** The name that the page before ended with. */
function readPageToken(token: string | null): string {
  if (!token) return ''
  const name = Buffer.from(token, 'base64url')
  if (name.toString('base64url') !== token) refuseField('pageToken', 'field.page-token')
  return name.toString()
}
