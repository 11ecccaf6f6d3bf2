import { labelsHeader } from '../../contract/labels.ts'
import type { Language, Text } from '../../contract/language.ts'
import {
  fallbackFields,
  fallbackSwitch,
  keepsHeader,
  type ModelCall,
  promptFields,
  promptVariables,
} from '../../contract/model-calls.ts'
import { promptHeader } from '../../contract/prompts.ts'

type Json = Record<string, unknown>

export const modelCallTag: Text = { zh: '模型调用', en: 'Model calls' }

/** How clients of a dialect are refused; others have a form for each of their calls. */
type Refusal = 'openaiRefusal' | 'anthropicRefusal' | 'geminiRefusal' | 'otherRefusal'
const refusals: Partial<Record<ModelCall['dialect'], Refusal>> = {
  OpenAI: 'openaiRefusal',
  Jina: 'openaiRefusal',
  Cohere: 'openaiRefusal',
  'New API': 'openaiRefusal',
  Portkey: 'openaiRefusal',
  HTTP: 'openaiRefusal',
  Anthropic: 'anthropicRefusal',
  Gemini: 'geminiRefusal',
}

const refused: Text = {
  zh: '请求有误（400）、密钥无效（401）、额度不足或不允许（403）、不存在（404）、超出限制（429，见 Retry-After）；5xx：上游失败（502、504）、无可用渠道或暂时不可用（503）。message 末尾有请求 ID',
  en: 'The request is at fault (400), the key (401), money or rights are lacking (403), there is no such thing (404), a limit is reached (429, see Retry-After); 5xx: the upstream failed (502, 504), no channel serves it or something is away (503). The message ends with the id of the request',
}

/** The components that the answers of model calls refer to. */
export function describeRefusals(language: Language): Record<Refusal, Json> {
  const as = (example?: Json): Json => ({
    description: refused[language],
    content: { 'application/json': { schema: { type: 'object' }, ...(example && { example }) } },
  })
  const message = 'The API key is not valid (request id: …)'
  return {
    openaiRefusal: as({ error: { message, type: 'new_api_error', param: null, code: 'invalid_api_key' } }),
    anthropicRefusal: as({ type: 'error', error: { type: 'authentication_error', message } }),
    geminiRefusal: as({ error: { code: 401, message, status: 'UNAUTHENTICATED' } }),
    otherRefusal: as(),
  }
}

const json = 'application/json'
const form = 'multipart/form-data'
const bodyTypes = { json: [json], multipart: [form], either: [json, form], any: ['*/*'] } as const

/** Body and answer are the vendor's, whose own description is the one to read. */
export function describeModelCall(call: ModelCall, language: Language): Json {
  const { path, dialect, summary, body, example } = call
  const refusal = { $ref: `#/components/responses/${refusals[dialect] ?? 'otherRefusal'}` }
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1])
  const schema = describeBody(call, language)
  return {
    tags: [modelCallTag[language]],
    operationId: nameOf(call),
    summary: `${summary[language]} · ${dialect}`,
    'x-access': call.open ? 'public' : 'token',
    security: call.open ? [] : [{ modelKey: [] }],
    parameters: [
      ...names.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...(call.keeps ? [describeHeader(keepsHeader, language)] : []),
      ...(call.fallsBack ? [describeHeader(fallbackSwitch, language)] : []),
      ...(call.takesPrompts ? [describeHeader(promptHeader, language)] : []),
      ...(call.body && !call.open ? [describeHeader(labelsHeader, language)] : []),
    ],
    ...(body
      ? {
          requestBody: {
            required: body !== 'any',
            content: Object.fromEntries(
              bodyTypes[body].map(type => [type, { schema, ...(example ? { example } : {}) }]),
            ),
          },
        }
      : {}),
    responses: {
      ...(call.answers === ''
        ? { 204: { description: 'No Content' } }
        : { 200: { description: 'OK', content: describeAnswer(call) } }),
      '4XX': refusal,
      '5XX': refusal,
    },
  }
}

/** As generators of clients want one: `post_v1_chat_completions`. */
function nameOf({ method, path }: ModelCall): string {
  return [method.toLowerCase(), ...path.split(/\W+/).filter(Boolean)].join('_')
}

function describeAnswer({ answers, streams }: ModelCall): Json {
  return {
    ...(answers ? { [answers]: {} } : { 'application/json': { schema: { type: 'object' } } }),
    ...(streams ? { 'text/event-stream': {} } : {}),
  }
}

/** The fields that are read here and nowhere else; the rest is the vendor's. */
function describeBody({ dialect, fallsBack, takesPrompts }: ModelCall, language: Language): Json {
  const open = { type: 'object', additionalProperties: true }
  const fields = {
    ...(fallsBack ? fallbackFields : {}),
    ...(takesPrompts ? promptFields : {}),
    ...(dialect === 'Portkey' ? promptVariables : {}),
  }
  if (Object.keys(fields).length === 0) return open
  const properties = Object.entries(fields).map(([name, { schema, description }]) => [
    name,
    { ...schema, description: description[language] },
  ])
  return { ...open, properties: Object.fromEntries(properties) }
}

function describeHeader(
  { name, description }: { name: string; description: Text },
  language: Language,
): Json {
  return {
    name,
    in: 'header',
    required: false,
    description: description[language],
    schema: { type: 'string' },
  }
}
