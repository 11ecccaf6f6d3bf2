import { type Credential, defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { callsInResponses } from '../kit/edits/calls-in-responses.ts'
import {
  chatOfOpenai,
  openaiCapabilities,
  openaiRealtime,
  openaiResponses,
  openaiSearch,
} from '../kit/families/openai-family.ts'
import { openaiModels } from './models.ts'

const bearerOfOrganization: Credential = (key, to) => {
  const headers: Record<string, string> = { authorization: `Bearer ${key}` }
  if (to.organization) headers['openai-organization'] = to.organization
  return headers
}

export const openai = defineProvider({
  type: 1,
  id: 'openai',
  name: 'OpenAI',
  baseUrl: 'https://api.openai.com',
  models: openaiModels,
  credential: bearerOfOrganization,
  chat: [
    chatOfOpenai(),
    // Only models named after it search in chat, and those do it nowhere else.
    openaiResponses({
      searches: model => !model.includes('-search-'),
      insists: callsInResponses,
      worksInBackground: true,
      keeps: true,
    }),
  ],
  ...openaiCapabilities,
  search: openaiSearch,
  realtime: openaiRealtime,
  readFailure,
})
