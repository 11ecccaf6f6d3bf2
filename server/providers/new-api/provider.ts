import { defineProvider } from '../define.ts'
import { bearer } from '../kit/credentials.ts'
import { gatewayChat } from '../kit/gateway-chat.ts'
import { openaiCapabilities, openaiRealtime } from '../kit/openai-family.ts'
import { readFailure } from '../kit/read-failure.ts'

/** Another gateway of this family, or one more of this kind. */
export const newApi = defineProvider({
  type: 60,
  id: 'new-api',
  name: 'New API',
  baseUrl: '',
  models: [],
  credential: bearer(),
  chat: gatewayChat,
  ...openaiCapabilities,
  realtime: openaiRealtime,
  readFailure,
})
