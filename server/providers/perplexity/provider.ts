import type { JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { defineProvider } from '../define.ts'
import { bearer } from '../kit/credentials.ts'
import { developerToSystem } from '../kit/developer-to-system.ts'
import { editBody } from '../kit/edit-body.ts'
import { openaiChat } from '../kit/openai-family.ts'
import { readFailure } from '../kit/read-failure.ts'
import { statusByCode } from '../kit/status-by-code.ts'

export const perplexity = defineProvider({
  type: 27,
  id: 'perplexity',
  name: 'Perplexity',
  baseUrl: 'https://api.perplexity.ai',
  models: ['sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research'],
  credential: bearer(),
  chat: [
    openaiChat({
      path: '/chat/completions',
      edit: editBody(developerToSystem, refuseTools),
      readProblem: statusByCode(new Map([['invalid_model', 404]])),
    }),
  ],
  readFailure,
  modelList: 'none',
})

/** Its models call no tools: another channel may have one that does. */
function refuseTools({ tools }: JsonObject): undefined {
  if (Array.isArray(tools) && tools.length > 0)
    throw new AppError('dialect.unsupported', { feature: 'tools' })
}
