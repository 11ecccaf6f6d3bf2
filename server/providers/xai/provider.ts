import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { developerToSystem } from '../kit/edits/developer-to-system.ts'
import { editBody } from '../kit/edits/edit-body.ts'
import { fitEffort } from '../kit/edits/fit-effort.ts'
import { narrowTools } from '../kit/edits/narrow-tools.ts'
import { openaiChat, openaiResponses, plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { editConversion } from './convert-edits.ts'
import { effortWord } from './effort-word.ts'
import { fitPicture } from './fit-picture.ts'
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
  images: plain('openai', '/v1/images/generations', { edit: fitPicture, readProblem }),
  'image-edits': { ...plain('openai', '/v1/images/edits', { readProblem }), convert: editConversion },
  readFailure,
})
