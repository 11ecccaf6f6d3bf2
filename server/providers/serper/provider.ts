import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { plain } from '../kit/families/openai-family.ts'
import { headerKey } from '../kit/keys/credentials.ts'
import { searchConversion } from './convert-search.ts'
import { readProblem } from './read-problem.ts'

export const serper = defineProvider({
  type: 1004,
  id: 'serper',
  name: 'Serper',
  baseUrl: 'https://google.serper.dev',
  models: ['serper-search'],
  credential: headerKey('x-api-key'),
  'web-search': { ...plain('openai', '/search', { readProblem }), convert: searchConversion },
  readFailure,
  modelList: 'none',
})
