import { defineProvider } from '../define.ts'
import { anthropicChat, anthropicCountTokens } from '../kit/anthropic-family.ts'
import { headerKey } from '../kit/credentials.ts'
import { readFailure } from '../kit/read-failure.ts'
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
