import { defineProvider } from '../define.ts'
import { anthropicAt } from '../kit/families/anthropic-family.ts'
import { openaiChat, openaiResponses, plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { fitChat, offersSearch } from './fit-chat.ts'
import { readFailure, readProblem } from './read-problem.ts'

const HOME = 'https://open.bigmodel.cn'
/** The plans for coding have it where it always was. */
const claude = {
  [HOME]: `${HOME}/api/anthropic/v1/messages`,
  [`${HOME}/api/coding/paas/v4`]: `${HOME}/api/anthropic/v1/messages`,
  'https://api.z.ai/api/coding/paas/v4': 'https://api.z.ai/api/anthropic/v1/messages',
}

export const zhipu = defineProvider({
  type: 26,
  id: 'zhipu-v4',
  name: 'Zhipu GLM-4V',
  baseUrl: HOME,
  models: ['glm-5.3', 'glm-5.3-flash', 'glm-5.2', 'glm-4.7', 'glm-4.7-flash', 'embedding-3'],
  credential: bearer(),
  chat: [
    openaiChat({
      path: '/api/paas/v4/chat/completions',
      asksForUsage: true,
      edit: fitChat,
      searchesUntold: offersSearch,
      readProblem,
    }),
    anthropicAt(claude),
    openaiResponses({ path: '/api/v1/responses', vendorOnly: true }),
  ],
  embeddings: plain('openai', '/api/paas/v4/embeddings', { readProblem }),
  images: plain('openai', '/api/paas/v4/images/generations', { readProblem }),
  readFailure,
})
