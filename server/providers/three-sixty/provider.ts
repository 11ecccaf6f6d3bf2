import { defineProvider } from '../define.ts'
import { bearer } from '../kit/credentials.ts'
import { openaiChat, plain } from '../kit/openai-family.ts'
import { readFailure } from '../kit/read-failure.ts'

export const threeSixty = defineProvider({
  type: 19,
  id: '360',
  name: '360',
  baseUrl: 'https://api.360.cn',
  models: ['360gpt2-pro', '360zhinao2-o1'],
  credential: bearer(),
  chat: [openaiChat()],
  embeddings: plain('openai', '/v1/embeddings'),
  readFailure,
})
