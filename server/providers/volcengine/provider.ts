import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { readIds } from '../kit/answers/read-ids.ts'
import { statusByCode } from '../kit/answers/status-by-code.ts'
import { anthropicAt } from '../kit/families/anthropic-family.ts'
import { openaiChat, openaiResponses, plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { editConversion } from './convert-edits.ts'
import { seesToo, visionConversion } from './convert-embeddings.ts'

/** The account owes money: nothing can be asked with any of its keys. */
export const readProblem = statusByCode(new Map([['AccountOverdueError', 401]]))

const DRAW = '/api/v3/images/generations'
const HOME = 'https://ark.cn-beijing.volces.com'
/** Only for who has the plan for coding. */
const claude = { [`${HOME}/api/coding/v3`]: `${HOME}/api/coding/v1/messages` }

export const volcengine = defineProvider({
  type: 45,
  id: 'volcengine',
  name: 'VolcEngine',
  baseUrl: HOME,
  models: [
    'doubao-seed-2-1-pro-260628',
    'doubao-seed-2-1-turbo-260628',
    'doubao-seed-1-6-251015',
    'doubao-seedance-1-5-pro-251215',
  ],
  credential: bearer(),
  chat: [
    openaiChat({
      path: ({ model }) => `/api/v3/${isBot(model) ? 'bots/' : ''}chat/completions`,
      asksForUsage: true,
      readProblem,
    }),
    {
      ...openaiResponses({ path: '/api/v3/responses', vendorOnly: true }),
      serves: ({ model }) => !isBot(model),
    },
    anthropicAt(claude),
  ],
  embeddings: [
    {
      ...plain('openai', '/api/v3/embeddings/multimodal', { readProblem }),
      serves: seesToo,
      convert: visionConversion,
    },
    plain('openai', '/api/v3/embeddings', { readProblem }),
  ],
  images: plain('openai', DRAW, { readProblem }),
  'image-edits': { ...plain('openai', DRAW, { readProblem }), convert: editConversion },
  readFailure,
  modelList: {
    path: '/api/v3/models',
    read: readIds,
  },
})

/** Applications that its users have built have an address of their own. */
function isBot(model: string): boolean {
  return model.startsWith('bot-')
}
