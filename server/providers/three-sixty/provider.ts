import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { openaiChat, plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'

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
