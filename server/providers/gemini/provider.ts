import { defineProvider } from '../define.ts'
import { headerKey } from '../kit/credentials.ts'
import { geminiChat, geminiPlain } from '../kit/gemini-family.ts'
import { readFailure } from '../kit/read-failure.ts'

export const gemini = defineProvider({
  type: 24,
  id: 'gemini',
  name: 'Google Gemini',
  baseUrl: 'https://generativelanguage.googleapis.com',
  models: [
    'gemini-4-argon',
    'gemini-3.8-flash',
    'gemini-3.6-flash',
    'gemini-3.5-flash-lite',
    'gemini-3.1-pro-preview',
    'gemini-2.5-pro',
    'gemini-2.5-flash',
    'gemini-3.1-flash-image',
    'gemini-3-pro-image',
    'gemini-embedding-2',
    'gemini-embedding-001',
  ],
  credential: headerKey('x-goog-api-key'),
  chat: [geminiChat()],
  embeddings: geminiPlain('batchEmbedContents'),
  'count-tokens': geminiPlain('countTokens'),
  readFailure,
})
