import { defineProvider } from '../define.ts'
import { anthropicChat } from '../kit/anthropic-family.ts'
import { clampTopP } from '../kit/clamp-top-p.ts'
import { bearer } from '../kit/credentials.ts'
import { developerToSystem } from '../kit/developer-to-system.ts'
import { editBody } from '../kit/edit-body.ts'
import { threeEffortWords } from '../kit/effort-words.ts'
import { narrowTools } from '../kit/narrow-tools.ts'
import { openaiChat, openaiResponses, plain } from '../kit/openai-family.ts'
import { readFailure } from '../kit/read-failure.ts'

export const zhipu = defineProvider({
  type: 26,
  id: 'zhipu-v4',
  name: 'Zhipu GLM-4V',
  baseUrl: 'https://open.bigmodel.cn',
  models: ['glm-5.3', 'glm-5.3-flash', 'glm-5.2', 'glm-4.7', 'glm-4.7-flash', 'embedding-3'],
  credential: bearer(),
  chat: [
    openaiChat({
      path: '/api/paas/v4/chat/completions',
      asksForUsage: true,
      edit: editBody(developerToSystem, threeEffortWords, narrowTools, clampTopP),
    }),
    anthropicChat({ path: '/api/anthropic/v1/messages', vendorOnly: true }),
    openaiResponses({ path: '/api/v1/responses', vendorOnly: true }),
  ],
  embeddings: plain('openai', '/api/paas/v4/embeddings'),
  images: plain('openai', '/api/paas/v4/images/generations'),
  readFailure,
})
