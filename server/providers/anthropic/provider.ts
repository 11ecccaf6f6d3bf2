import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { anthropicChat, anthropicCountTokens } from '../kit/families/anthropic-family.ts'
import { headerKey } from '../kit/keys/credentials.ts'
import { anthropicModels } from './models.ts'

export const anthropic = defineProvider({
  type: 14,
  id: 'anthropic',
  name: 'Anthropic Claude',
  baseUrl: 'https://api.anthropic.com',
  models: anthropicModels,
  credential: headerKey('x-api-key'),
  chat: [anthropicChat()],
  'count-tokens': anthropicCountTokens,
  readFailure,
})
