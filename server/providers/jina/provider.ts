import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { leaveOutEncoding } from './leave-out-encoding.ts'

export const jina = defineProvider({
  type: 38,
  id: 'jina',
  name: 'Jina',
  baseUrl: 'https://api.jina.ai',
  models: ['jina-embeddings-v5-text-small', 'jina-embeddings-v4', 'jina-reranker-v3'],
  credential: bearer(),
  embeddings: plain('openai', '/v1/embeddings', { edit: leaveOutEncoding }),
  rerank: plain('openai', '/v1/rerank'),
  readFailure,
  modelList: 'none',
})
