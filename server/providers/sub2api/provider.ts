import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { anthropicCountTokens } from '../kit/families/anthropic-family.ts'
import { gatewayChat } from '../kit/families/gateway-chat.ts'
import { openaiCapabilities } from '../kit/families/openai-family.ts'
import { bearer, headerKey } from '../kit/keys/credentials.ts'
import { readLeft } from './read-left.ts'

/** A gateway that shares subscriptions. */
export const sub2api = defineProvider({
  type: 59,
  id: 'sub2api',
  name: 'Sub2API',
  baseUrl: '',
  models: [],
  credential: bearer(),
  chat: gatewayChat,
  'count-tokens': { ...anthropicCountTokens, credential: headerKey('x-api-key') },
  images: openaiCapabilities.images,
  'image-edits': openaiCapabilities['image-edits'],
  readFailure,
  balance: { path: '/v1/usage', read: readLeft },
})
