import { type Destination, defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { statusByCode } from '../kit/answers/status-by-code.ts'
import { openaiChat, plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'

const readProblem = statusByCode(
  new Map([
    ['unknown_model', 404],
    ['unavailable_model', 404],
  ]),
)

export const githubModels = defineProvider({
  type: 103,
  id: 'github-models',
  name: 'GitHub Models',
  baseUrl: 'https://models.github.ai',
  models: ['openai/gpt-4.1', 'openai/gpt-4o', 'openai/gpt-4o-mini', 'openai/text-embedding-3-small'],
  credential: bearer(),
  chat: [openaiChat({ path: inference('chat/completions'), asksForUsage: true, readProblem })],
  embeddings: plain('openai', inference('embeddings'), { readProblem }),
  readFailure,
  modelList: 'none',
})

/** An organization that pays has its own address: `https://models.github.ai/orgs/ORG/inference`. */
function inference(task: string): (to: Destination) => string {
  return ({ baseUrl }) => (baseUrl.endsWith('/inference') ? `/${task}` : `/inference/${task}`)
}
