import { asArray, asObject, asText } from '../../dialects/json.ts'
import { type Credential, defineProvider } from '../define.ts'
import { ndjson } from '../kit/answers/ndjson.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { plain } from '../kit/families/openai-family.ts'
import { embedConversion } from './convert-embeddings.ts'
import { ollamaForm } from './form.ts'

/** A server of one's own wants no key; the hosted one does. */
const bearerIfAny: Credential = key => {
  const headers: Record<string, string> = {}
  if (key !== '') headers.authorization = `Bearer ${key}`
  return headers
}

export const ollama = defineProvider({
  type: 4,
  id: 'ollama',
  name: 'Ollama',
  baseUrl: 'http://localhost:11434',
  models: ['gpt-oss:20b', 'qwen3:8b', 'gemma4', 'llama3.2', 'nomic-embed-text'],
  credential: bearerIfAny,
  chat: [{ dialect: ollamaForm, path: () => '/api/chat', framing: ndjson, inlinesMedia: true }],
  completions: plain('openai', '/v1/completions'),
  embeddings: { form: 'openai', path: () => '/api/embed', convert: embedConversion },
  readFailure,
  modelList: {
    path: '/api/tags',
    read: ({ models }) =>
      Array.isArray(models)
        ? asArray(models).flatMap(model => asText(asObject(model)?.name) ?? [])
        : undefined,
  },
})
