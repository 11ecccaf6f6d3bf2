import { asNumber, asObject } from '../../dialects/json.ts'
import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { anthropicChat } from '../kit/families/anthropic-family.ts'
import { openaiChat, openaiResponses, plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { readProblem } from './read-problem.ts'

export const openrouter = defineProvider({
  type: 20,
  id: 'openrouter',
  name: 'OpenRouter',
  baseUrl: 'https://openrouter.ai/api',
  models: ['openrouter/auto'],
  credential: bearer(),
  chat: [
    openaiChat({
      asksForUsage: true,
      readProblem,
      // Of any model, whether that can search itself or not.
      searchesUntold: body => Boolean(body.web_search_options),
    }),
    openaiResponses({ vendorOnly: true }),
    // Other models than Anthropic's lose more on this way than on the first.
    { ...anthropicChat({ vendorOnly: true }), serves: ({ model }) => model.startsWith('anthropic/') },
  ],
  completions: plain('openai', '/v1/completions', { readProblem }),
  embeddings: plain('openai', '/v1/embeddings', { readProblem }),
  readFailure,
  balance: {
    path: '/v1/credits',
    read({ data }) {
      const bought = asNumber(asObject(data)?.total_credits)
      const used = asNumber(asObject(data)?.total_usage)
      return bought === undefined || used === undefined
        ? undefined
        : { amount: bought - used, currency: 'USD' }
    },
  },
})
