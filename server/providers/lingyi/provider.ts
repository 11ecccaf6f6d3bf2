import { defineProvider } from '../define.ts'
import { bearer } from '../kit/credentials.ts'
import { openaiChat } from '../kit/openai-family.ts'
import { readFailure } from '../kit/read-failure.ts'

export const lingyi = defineProvider({
  type: 31,
  id: 'lingyi',
  name: 'Lingyi',
  baseUrl: 'https://api.lingyiwanwu.com',
  models: ['yi-lightning', 'yi-large', 'yi-vision-v2'],
  credential: bearer(),
  chat: [openaiChat()],
  readFailure,
})
