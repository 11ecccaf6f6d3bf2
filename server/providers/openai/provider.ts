import { type Credential, defineProvider } from '../define.ts'
import { editBody } from '../kit/edit-body.ts'
import { leaveOutOpenaiSearch } from '../kit/leave-out-search.ts'
import { leaveOutThoughts } from '../kit/leave-out-thoughts.ts'
import { openaiCapabilities, openaiChat, openaiRealtime, openaiResponses } from '../kit/openai-family.ts'
import { readFailure } from '../kit/read-failure.ts'
import { hidesThoughts, reasoningModelLimits, takesStops } from '../kit/reasoning-model-limits.ts'
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
    openaiChat({
      asksForUsage: true,
      edit: editBody(reasoningModelLimits, leaveOutThoughts, leaveOutOpenaiSearch),
      takesStops,
      hidesThoughts,
    }),
    // Only models named after it search in chat, and those do it nowhere else.
    openaiResponses({ searches: model => !model.includes('-search-') }),
  ],
  ...openaiCapabilities,
  realtime: openaiRealtime,
  readFailure,
})
