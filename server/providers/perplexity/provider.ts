import { defineProvider } from '../define.ts'
import { bearer } from '../kit/credentials.ts'
import { openaiChat } from '../kit/openai-family.ts'
import { readFailure } from '../kit/read-failure.ts'

export const perplexity = defineProvider({
  type: 27,
  id: 'perplexity',
  name: 'Perplexity',
  baseUrl: 'https://api.perplexity.ai',
  models: ['sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research'],
  credential: bearer(),
  chat: [openaiChat({ path: '/chat/completions' })],
  readFailure,
  modelList: 'none',
})
