import * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpointGroups } from '../../contract/index.ts'
import type { Language, Text } from '../../contract/language.ts'
import {
  fallbackFields,
  fallbackSwitch,
  keepsHeader,
  type ModelCall,
  modelCalls,
} from '../../contract/model-calls.ts'

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
    for (const [name, endpoint] of Object.entries(group.endpoints) as [string, Endpoint][]) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      const described = { tags: [group.name[language]], ...operation(name, endpoint, language) }
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: described }
    }
  for (const call of modelCalls)
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: modelOperation(call, language) }
  return {
    openapi: '3.1.0',
    info: { title: 'Tollgate', version, license: { name: 'Apache-2.0' } },
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
        accessToken: { type: 'apiKey', in: 'header', name: 'Authorization' },
        modelKey: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

const modelTag = { zh: '模型调用', en: 'Model calls' }

/** Body and answer are the vendor's, whose own description is the one to read. */
function modelOperation(call: ModelCall, language: Language): Json {
  const { path, dialect, summary, body, streams } = call
  const type = body === 'multipart' ? 'multipart/form-data' : 'application/json'
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1])
  return {
    tags: [modelTag[language]],
    summary: `${summary[language]} · ${dialect}`,
    'x-access': 'token',
    security: [{ modelKey: [] }],
    parameters: [
      ...names.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...(call.keeps ? [describeHeader(keepsHeader, language)] : []),
      ...(call.fallsBack ? [describeHeader(fallbackSwitch, language)] : []),
    ],
    ...(body
      ? { requestBody: { required: true, content: { [type]: { schema: describeBody(call, language) } } } }
      : {}),
    responses: {
      200: {
        description: 'OK',
        content: {
          'application/json': { schema: { type: 'object' } },
          ...(streams ? { 'text/event-stream': {} } : {}),
        },
      },
    },
  }
}

/** The fields that are read here and nowhere else; the rest is the vendor's. */
function describeBody({ fallsBack }: ModelCall, language: Language): Json {
  if (!fallsBack) return { type: 'object' }
  const properties = Object.entries(fallbackFields).map(([name, { schema, description }]) => [
    name,
    { ...schema, description: description[language] },
  ])
  return { type: 'object', properties: Object.fromEntries(properties) }
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

function operation(name: string, endpoint: Endpoint, language: Language): Json {
  return {
    operationId: name,
    summary: endpoint.summary[language],
    'x-access': endpoint.access,
    'x-rate-class': endpoint.rate,
    ...(endpoint.access === 'public'
      ? { security: [] }
      : { security: [{ session: [] }, { accessToken: [] }] }),
    parameters: parameters(endpoint),
    ...(endpoint.bodyLimit > 0
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: bodySchema(endpoint) } },
          },
        }
      : {}),
    responses: { 200: { description: 'OK', ...answer(endpoint) } },
  }
}

/** What is signed is the sender's own, whose description is the one to read. */
function bodySchema(endpoint: Endpoint): Json {
  return endpoint.signedBy ? { type: 'object' } : schemaOf(endpoint.body, 'input')
}

function parameters(endpoint: Endpoint): Json[] {
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
  return [...inPath, ...inQuery, ...inHead]
}

function answer(endpoint: Endpoint): Json {
  if (endpoint.shape === 'raw') return {}
  const data = schemaOf(endpoint.output, 'output')
  const schema =
    endpoint.shape === 'bare'
      ? data
      : {
          type: 'object',
          required: ['success', 'message'],
          properties: { success: { type: 'boolean' }, message: { type: 'string' }, data },
        }
  return { content: { 'application/json': { schema } } }
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return rest
}
