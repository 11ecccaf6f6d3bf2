import { defineProvider } from '../define.ts'
import { bearer } from '../kit/credentials.ts'
import { developerToSystem } from '../kit/developer-to-system.ts'
import { editBody } from '../kit/edit-body.ts'
import { fitEffort } from '../kit/fit-effort.ts'
import { narrowTools } from '../kit/narrow-tools.ts'
import { openaiChat, openaiResponses, plain } from '../kit/openai-family.ts'
import { readFailure } from '../kit/read-failure.ts'
import { effortWord } from './effort-word.ts'
import { isOld, leaveOutRefused } from './leave-out-refused.ts'
import { readProblem } from './read-problem.ts'

export const xai = defineProvider({
  type: 48,
  id: 'xai',
  name: 'xAI',
  baseUrl: 'https://api.x.ai',
  models: ['grok-4.7', 'grok-4.6', 'grok-4.3'],
  credential: bearer(),
  chat: [
    openaiChat({
      asksForUsage: true,
      edit: editBody(developerToSystem, narrowTools, leaveOutRefused, fitEffort(effortWord)),
      readProblem,
      takesStops: isOld,
      hidesThoughts: model => !isOld(model) && !model.includes('non-reasoning'),
    }),
    openaiResponses({ vendorOnly: true, searches: () => true }),
  ],
  images: plain('openai', '/v1/images/generations', { readProblem }),
  readFailure,
})
