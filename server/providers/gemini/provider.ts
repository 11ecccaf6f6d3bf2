import { defineProvider } from '../define.ts'
import { headerKey } from '../kit/credentials.ts'
import { geminiChat, geminiPlain } from '../kit/gemini-family.ts'
import { readFailure } from '../kit/read-failure.ts'
import { geminiModels } from './models.ts'

export const gemini = defineProvider({
  type: 24,
  id: 'gemini',
  name: 'Google Gemini',
  baseUrl: 'https://generativelanguage.googleapis.com',
  models: geminiModels,
  credential: headerKey('x-goog-api-key'),
  chat: [geminiChat()],
  embeddings: geminiPlain('batchEmbedContents'),
  'count-tokens': geminiPlain('countTokens'),
  readFailure,
})
