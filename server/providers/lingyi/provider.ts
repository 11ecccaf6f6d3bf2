import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { openaiChat } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'

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
