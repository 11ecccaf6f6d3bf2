import { defineProvider } from '../define.ts'
import { bearer } from '../kit/credentials.ts'
import { developerToSystem } from '../kit/developer-to-system.ts'
import { editBody } from '../kit/edit-body.ts'
import { fitEffort } from '../kit/fit-effort.ts'
import { narrowTools } from '../kit/narrow-tools.ts'
import { openaiChat, openaiResponses, plain } from '../kit/openai-family.ts'
import { readFailure } from '../kit/read-failure.ts'
import { readIds } from '../kit/read-ids.ts'
import { statusByCode } from '../kit/status-by-code.ts'
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
