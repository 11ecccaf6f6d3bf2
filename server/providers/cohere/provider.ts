import { asArray, asObject, asText } from '../../dialects/json.ts'
import { defineProvider } from '../define.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { embedConversion } from './convert-embeddings.ts'
import { rerankConversion } from './convert-rerank.ts'
import { cohereForm } from './form.ts'
import { readFailure } from './map-finish-reason.ts'

export const cohere = defineProvider({
  type: 34,
  id: 'cohere',
  name: 'Cohere',
  baseUrl: 'https://api.cohere.com',
  models: ['command-a-03-2025', 'command-r7b-12-2024', 'embed-v4.0', 'rerank-v3.5'],
  credential: bearer(),
  chat: [{ dialect: cohereForm, path: () => '/v2/chat' }],
  embeddings: { form: 'openai', path: () => '/v2/embed', convert: embedConversion },
  rerank: { form: 'openai', path: () => '/v2/rerank', convert: rerankConversion },
  readFailure,
  modelList: {
    path: '/v1/models?page_size=1000',
    read: ({ models }) =>
      Array.isArray(models)
        ? asArray(models).flatMap(model => asText(asObject(model)?.name) ?? [])
        : undefined,
  },
})
