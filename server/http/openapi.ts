import * as z from 'zod/mini'
import { type Endpoint, IDEMPOTENCY_HEADER } from '../../contract/endpoint.ts'
import { type EndpointName, endpointGroups } from '../../contract/index.ts'
import type { Language } from '../../contract/language.ts'
import { modelCalls } from '../../contract/model-calls.ts'
import { TEAM_HEADER } from '../../contract/teams.ts'
import { describeModelCall, describeRefusals, modelCallTag } from './describe-model-call.ts'
import { examples } from './examples.ts'

type Json = Record<string, unknown>

const documents = new Map<Language, Json>()

/** The endpoint table as an OpenAPI 3.1 document; made once, for that takes long enough to hold up streams. */
export function openApiDocument(language: Language, version: string): Json {
  const document = documents.get(language) ?? describeAll(language, version)
  documents.set(language, document)
  return document
}

function describeAll(language: Language, version: string): Json {
  const paths: Record<string, Json> = {}
  for (const group of endpointGroups)
    for (const [name, endpoint] of Object.entries(group.endpoints) as [EndpointName, Endpoint][]) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      const described = { tags: [group.name[language]], ...operation(name, endpoint, language) }
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: described }
    }
  for (const call of modelCalls)
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: describeModelCall(call, language) }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate',
      version,
      description: words.about[language],
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...endpointGroups.map(({ name }) => name), modelCallTag].map(name => ({ name: name[language] })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
        userId: { type: 'apiKey', in: 'header', name: 'New-Api-User', description: words.userId[language] },
        accessToken: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: words.accessToken[language],
        },
        modelKey: { type: 'http', scheme: 'bearer', description: words.modelKey[language] },
      },
      responses: {
        failure: {
          description: words.failure[language],
          content: { 'application/json': { schema: envelope({}) } },
        },
        ...describeRefusals(language),
      },
    },
  }
}

const words = {
  about: {
    zh: '所有管理调用的回答都是 { success, message, data }；业务失败时 success 为 false，HTTP 状态码多为 200。message 默认为中文，Accept-Language 要英文时用英文。模型调用的请求与回答见各厂商文档。',
    en: 'Every management call is answered with { success, message, data }; where it failed, success is false, mostly with the status 200. Messages are Chinese unless Accept-Language asks for English. Model calls speak the vendors’ own forms.',
  },
  accessToken: {
    zh: '系统访问令牌（GET /api/user/token），可带 Bearer',
    en: 'A system access token (GET /api/user/token), with or without Bearer',
  },
  modelKey: { zh: 'API 令牌 sk-…', en: 'The key of a token, sk-…' },
  userId: {
    zh: '会话所属用户的 ID；用系统访问令牌时不需要',
    en: 'The id of the session’s owner; not needed with a system access token',
  },
  failure: {
    zh: '无法读取，或须以会话调用（400）、未登录（401）、来自其他网站（403）、功能未启用（404）、请求体过大（413）、请求过于频繁（429，见 Retry-After）、暂时不可用（503）',
    en: 'It cannot be read, or wants a session (400), no login (401), from another site (403), what it is about is not switched on (404), too large a body (413), too many calls (429, see Retry-After), something is away (503)',
  },
  team: {
    zh: '为所在的团队调用时，该团队的 ID',
    en: 'To call for a team that you are a member of: its id',
  },
  once: {
    zh: '调用方为这次操作起的名称：一天之内以同一名称重复调用不会再次执行，并得到第一次的结果',
    en: 'Your own name for what is done: for a day, a call that is sent again under it does nothing more, and is answered as the first was',
  },
} as const

function operation(name: EndpointName, endpoint: Endpoint, language: Language): Json {
  return {
    operationId: name,
    summary: endpoint.summary[language],
    'x-access': endpoint.access,
    ...(endpoint.sessionOnly ? { 'x-session-only': true } : {}),
    'x-rate-class': endpoint.rate,
    security: security(endpoint),
    ...(endpoint.team ? { 'x-team-access': endpoint.team } : {}),
    parameters: parameters(endpoint, language),
    ...(endpoint.bodyLimit > 0 ? { requestBody: { required: true, content: body(name, endpoint) } } : {}),
    responses: {
      200: { description: 'OK', ...answer(endpoint) },
      '4XX': { $ref: '#/components/responses/failure' },
      '5XX': { $ref: '#/components/responses/failure' },
    },
  }
}

function security({ access, anyPage, userHeader, sessionOnly }: Endpoint): Json[] {
  if (access === 'public') return anyPage ? [{ modelKey: [] }] : []
  const bySession = userHeader ? { session: [], userId: [] } : { session: [] }
  return sessionOnly ? [bySession] : [bySession, { accessToken: [] }]
}

function body(name: EndpointName, endpoint: Endpoint): Json {
  if (endpoint.form)
    return {
      'application/x-www-form-urlencoded': {
        schema: { type: 'object', additionalProperties: { type: 'string' } },
      },
    }
  const example = examples[name]
  return { 'application/json': { schema: bodySchema(endpoint), ...(example ? { example } : {}) } }
}

/** What is signed is the sender's own, whose description is the one to read. */
function bodySchema(endpoint: Endpoint): Json {
  return endpoint.signedBy ? { type: 'object' } : schemaOf(endpoint.body, 'input')
}

function parameters(endpoint: Endpoint, language: Language): Json[] {
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(match => ({
    name: match[1],
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const { properties = {}, required = [] } = schemaOf(endpoint.query, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
  const inHead = [endpoint.signedBy ?? []].flat().map(name => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string' },
  }))
  const team = { in: 'header', required: false, schema: { type: 'integer' } }
  const ofTeam = endpoint.team ? [{ name: TEAM_HEADER, ...team, description: words.team[language] }] : []
  const own = { in: 'header', required: false, schema: { type: 'string' } }
  const named = endpoint.once ? [{ name: IDEMPOTENCY_HEADER, ...own, description: words.once[language] }] : []
  return [...inPath, ...inQuery, ...inHead, ...named, ...ofTeam]
}

function answer(endpoint: Endpoint): Json {
  if (endpoint.shape === 'raw') return {}
  const data = schemaOf(endpoint.output, 'output')
  const schema = endpoint.shape === 'bare' ? data : envelope({ data })
  return { content: { 'application/json': { schema } } }
}

function envelope(more: Json): Json {
  return {
    type: 'object',
    required: ['success', 'message'],
    properties: { success: { type: 'boolean' }, message: { type: 'string' }, ...more },
  }
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return rest
}
