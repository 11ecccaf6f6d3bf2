import { labelsHeader } from '../../contract/labels.ts'
import type { Language, Text } from '../../contract/language.ts'
import { fallbackFields, fallbackSwitch, keepsHeader, type ModelCall } from '../../contract/model-calls.ts'

type Json = Record<string, unknown>

const tag = { zh: '模型调用', en: 'Model calls' }

/** Body and answer are the vendor's, whose own description is the one to read. */
export function describeModelCall(call: ModelCall, language: Language): Json {
  const { path, dialect, summary, body, example } = call
  const type = body === 'multipart' ? 'multipart/form-data' : 'application/json'
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1])
  const schema = describeBody(call, language)
  return {
    tags: [tag[language]],
    summary: `${summary[language]} · ${dialect}`,
    'x-access': call.open ? 'public' : 'token',
    security: call.open ? [] : [{ modelKey: [] }],
    parameters: [
      ...names.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...(call.keeps ? [describeHeader(keepsHeader, language)] : []),
      ...(call.fallsBack ? [describeHeader(fallbackSwitch, language)] : []),
      ...(call.body && !call.open ? [describeHeader(labelsHeader, language)] : []),
    ],
    ...(body
      ? { requestBody: { required: true, content: { [type]: { schema, ...(example ? { example } : {}) } } } }
      : {}),
    responses: { 200: { description: 'OK', content: describeAnswer(call) } },
  }
}

function describeAnswer({ answers, streams }: ModelCall): Json {
  return {
    ...(answers ? { [answers]: {} } : { 'application/json': { schema: { type: 'object' } } }),
    ...(streams ? { 'text/event-stream': {} } : {}),
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
