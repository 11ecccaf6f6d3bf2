import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { gatewayChat } from '../kit/families/gateway-chat.ts'
import {
  gatewayCapabilities,
  openaiCapabilities,
  openaiRealtime,
  openaiSearch,
} from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'

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
  ...gatewayCapabilities,
  search: openaiSearch,
  realtime: openaiRealtime,
  readFailure,
})
