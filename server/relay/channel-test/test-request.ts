import { dialects } from '../../dialects/index.ts'
import type { JsonObject } from '../../dialects/json.ts'
import { canServe } from '../../providers/can-serve.ts'
import { chooseEndpoint } from '../../providers/choose-endpoint.ts'
import type { PlainCapability, Provider } from '../../providers/define.ts'
import { familyName, isResponsesOnly } from '../../providers/kit/families/openai-names.ts'
import { ChatCall } from '../chat/chat-call.ts'
import type { PlainCall } from '../plain/plain-call.ts'
import { lookAtRequest } from '../request/look-at-request.ts'
import type { JsonBody } from '../request/read-body.ts'
import type { Channel } from '../routing/channel.ts'

export type TestCall =
  | { readonly kind: 'chat'; readonly call: ChatCall }
  | { readonly kind: 'plain'; readonly call: PlainCall }

type Brief = 'chat' | PlainCapability
type Kind = Brief | 'realtime' | 'video'

/** What a model is for, as far as its name tells; most are for chat. */
const byName: readonly (readonly [Kind, RegExp])[] = [
  ['realtime', /realtime/],
  [
    'video',
    /\bsora[-_]|seedance|\bveo[-_\d]|hailuo|\bkling-|\bvidu|\bjimeng_|cogvideo|imagine-video|[-_][tir]2v|\b[ti]2v-/,
  ],
  ['rerank', /rerank/],
  ['ocr', /\bmistral-(ocr|document-ai)/],
  ['web-search', /-search$/],
  ['moderations', /moderation/],
  ['embeddings', /embed|\b(bge|gte|e5|voyage)-|\bm3e\b|minilm|text2vec|-clip\b|\bparaphrase-/],
  ['transcriptions', /whisper|transcribe|asr\b|sensevoice|\bparaformer/],
  ['speech', /(^|[-/])tts\b|-ttsd\b|\bspeech-|cosyvoice/],
  ['images', /dall-e|gpt-image|imagen|\bflux\b|stable-diffusion|\bsdxl|cogview|kolors|recraft|\bideogram/],
  ['images', /seedream|seededit|\b(qwen|z|glm|hunyuan)-image|\bgrok-(imagine|\d+-image)|\bwanx?[\d.]*-t2i/],
  ['images', /^image-\d/],
]

/** Of several models the one that costs least to ask: words before pictures and sound. */
const preference: readonly Brief[] = [
  ...(['chat', 'embeddings', 'rerank', 'moderations'] as const),
  ...(['ocr', 'web-search', 'speech', 'images'] as const),
]
const WHEN_IT_HAS_NONE = 'gpt-3.5-turbo'

export function chooseTestModel(models: readonly string[]): string {
  for (const kind of preference) {
    const found = models.find(model => kindOf(model) === kind)
    if (found !== undefined) return found
  }
  return models[0] ?? WHEN_IT_HAS_NONE
}

/** Something small that this model can answer; undefined when there is nothing of that kind. */
export function composeTest(
  provider: Provider,
  channel: Pick<Channel, 'baseUrl' | 'setting'>,
  model: string,
  upstreamModel: string,
  stream = false,
): TestCall | undefined {
  const baseUrl = channel.baseUrl ?? provider.baseUrl
  const kind = kindAt(provider, kindOf(upstreamModel), baseUrl)
  if (kind === 'realtime' || kind === 'video' || !canServe(provider, kind, baseUrl)) return undefined
  if (kind !== 'chat') return composePlainTest(kind, model)
  const { dialects: spoken } = channel.setting
  const to = { baseUrl, key: '', model: upstreamModel, stream, other: '', organization: undefined }
  const endpoint = chooseEndpoint(provider, 'openai-responses', { ...to, dialects: spoken })
  const responses = endpoint?.dialect === 'openai-responses' && isResponsesOnly(upstreamModel)
  return {
    kind: 'chat',
    call: responses ? responsesCall(model, stream) : chatCall(model, upstreamModel, stream),
  }
}

/** Who has no chat calls models whatever they like; and what is named after a search may search while it chats. */
function kindAt(provider: Provider, named: Kind, baseUrl: string): Kind {
  if (named === 'chat') return preference.find(kind => canServe(provider, kind, baseUrl)) ?? named
  return named === 'web-search' && provider.chat && !provider[named] ? 'chat' : named
}

function kindOf(model: string): Kind {
  const name = model.toLowerCase()
  return byName.find(([, pattern]) => pattern.test(name))?.[0] ?? 'chat'
}

/** These refuse an answer too short to think in, and call its length otherwise. */
function isReasoning(model: string): boolean {
  return /^(o\d|gpt-[5-9])/.test(familyName(model))
}

const SHORT = 1
/** The least that reasoning models and the Responses calls take. */
const SHORT_WITH_THOUGHT = 16

function chatCall(model: string, upstreamModel: string, stream: boolean): ChatCall {
  const limit = isReasoning(upstreamModel)
    ? { max_completion_tokens: SHORT_WITH_THOUGHT }
    : { max_tokens: SHORT }
  const body = bodyOf({ model, messages: [{ role: 'user', content: 'hi' }], ...limit, stream })
  return new ChatCall({ kind: 'chat', dialect: 'openai-chat' }, body, lookAtRequest('openai-chat', body, {}))
}

function responsesCall(model: string, stream: boolean): ChatCall {
  const body = bodyOf({ model, input: 'hi', max_output_tokens: SHORT_WITH_THOUGHT, stream })
  return new ChatCall(
    { kind: 'chat', dialect: 'openai-responses' },
    body,
    lookAtRequest('openai-responses', body, {}),
  )
}

/** The smallest page that there is to read. */
const WHITE_SQUARE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAEklEQVR42mP4DwUMo4xRBukMAOPT/hAC2mzjAAAAAElFTkSuQmCC'

const plainBodies: Readonly<Partial<Record<PlainCapability, JsonObject>>> = {
  embeddings: { input: 'hi' },
  rerank: { query: 'hi', documents: ['hi'] },
  moderations: { input: 'hi' },
  speech: { input: 'hi', voice: 'alloy' },
  images: { prompt: 'a dot', n: 1 },
  ocr: { document: { type: 'image_url', image_url: WHITE_SQUARE } },
  'web-search': { query: 'hi', max_results: 1 },
}

function composePlainTest(capability: PlainCapability, model: string): TestCall | undefined {
  const fields = plainBodies[capability]
  if (!fields) return undefined
  const body = bodyOf({ model, ...fields })
  return {
    kind: 'plain',
    call: {
      route: { kind: 'plain', capability, dialect: 'openai-chat' },
      capability,
      dialect: dialects['openai-chat'],
      form: 'openai',
      model,
      stream: false,
      fields: body.json,
      body,
    },
  }
}

function bodyOf(json: JsonObject): JsonBody {
  return { text: JSON.stringify(json), json }
}
