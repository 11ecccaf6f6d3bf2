import { defineProvider } from '../define.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { libraryForm } from './form.ts'
import { readFailure } from './read-failure.ts'

export const aiproxyLibrary = defineProvider({
  type: 21,
  id: 'aiproxy-library',
  name: 'AI Proxy library',
  baseUrl: 'https://api.aiproxy.io',
  models: [],
  credential: bearer(),
  chat: [{ dialect: libraryForm, path: () => '/api/library/ask' }],
  readFailure,
  modelList: 'none',
})
