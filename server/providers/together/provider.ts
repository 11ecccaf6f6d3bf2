import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { openaiChat, plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'

export const together = defineProvider({
  type: 102,
  id: 'together',
  name: 'Together AI',
  baseUrl: 'https://api.together.xyz',
  models: ['meta-llama/Llama-3.3-70B-Instruct-Turbo', 'openai/gpt-oss-120b', 'openai/gpt-oss-20b'],
  credential: bearer(),
  chat: [openaiChat({ asksForUsage: true })],
  completions: plain('openai', '/v1/completions'),
  embeddings: plain('openai', '/v1/embeddings'),
  rerank: plain('openai', '/v1/rerank'),
  images: plain('openai', '/v1/images/generations'),
  speech: plain('openai', '/v1/audio/speech'),
  transcriptions: plain('openai', '/v1/audio/transcriptions'),
  readFailure,
})
