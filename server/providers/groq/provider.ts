import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { readIds } from '../kit/answers/read-ids.ts'
import { statusByCode } from '../kit/answers/status-by-code.ts'
import { developerToSystem } from '../kit/edits/developer-to-system.ts'
import { editBody } from '../kit/edits/edit-body.ts'
import { fitEffort } from '../kit/edits/fit-effort.ts'
import { narrowTools } from '../kit/edits/narrow-tools.ts'
import { openaiChat, openaiResponses, plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { effortWord } from './effort-word.ts'
import { leaveOutContent } from './leave-out-content.ts'

const readProblem = statusByCode(
  new Map([
    ['organization_restricted', 401],
    ['model_decommissioned', 404],
    ['capacity_exceeded', 503],
  ]),
)

export const groq = defineProvider({
  type: 101,
  id: 'groq',
  name: 'Groq',
  baseUrl: 'https://api.groq.com',
  models: [
    ...['openai/gpt-oss-120b', 'openai/gpt-oss-20b', 'qwen/qwen3.6-27b'],
    ...['whisper-large-v3', 'whisper-large-v3-turbo'],
  ],
  credential: bearer(),
  chat: [
    openaiChat({
      path: '/openai/v1/chat/completions',
      asksForUsage: true,
      edit: editBody(developerToSystem, narrowTools, leaveOutContent, fitEffort(effortWord)),
      readProblem,
    }),
    openaiResponses({ path: '/openai/v1/responses', vendorOnly: true }),
  ],
  speech: plain('openai', '/openai/v1/audio/speech', { readProblem }),
  transcriptions: plain('openai', '/openai/v1/audio/transcriptions', { readProblem }),
  translations: plain('openai', '/openai/v1/audio/translations', { readProblem }),
  readFailure,
  modelList: {
    path: '/openai/v1/models',
    read: readIds,
  },
})
