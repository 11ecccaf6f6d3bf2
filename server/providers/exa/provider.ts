import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { plain } from '../kit/families/openai-family.ts'
import { headerKey } from '../kit/keys/credentials.ts'
import { searchConversion } from './convert-search.ts'

export const exa = defineProvider({
  type: 1003,
  id: 'exa',
  name: 'Exa',
  baseUrl: 'https://api.exa.ai',
  models: ['exa-search'],
  credential: headerKey('x-api-key'),
  'web-search': { ...plain('openai', '/search'), convert: searchConversion },
  readFailure,
  modelList: 'none',
})
