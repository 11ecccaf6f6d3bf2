import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { searchConversion } from './convert-search.ts'
import { readProblem } from './read-problem.ts'

export const tavily = defineProvider({
  type: 1002,
  id: 'tavily',
  name: 'Tavily',
  baseUrl: 'https://api.tavily.com',
  models: ['tavily-search'],
  credential: bearer(),
  'web-search': { ...plain('openai', '/search', { readProblem }), convert: searchConversion },
  readFailure,
  modelList: 'none',
})
