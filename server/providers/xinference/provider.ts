import { defineProvider } from '../define.ts'
import { bearer } from '../kit/credentials.ts'
import { developerToSystem } from '../kit/developer-to-system.ts'
import { editBody } from '../kit/edit-body.ts'
import { fitEffort, templateWord } from '../kit/fit-effort.ts'
import { narrowTools } from '../kit/narrow-tools.ts'
import { openaiCapabilities, openaiChat } from '../kit/openai-family.ts'
import { readFailure } from '../kit/read-failure.ts'

const { moderations: _none, ...capabilities } = openaiCapabilities

/** Servers of one's own that speak as OpenAI does, and can rerank too. */
export const xinference = defineProvider({
  type: 47,
  id: 'xinference',
  name: 'Xinference / vLLM',
  baseUrl: '',
  models: [],
  credential: bearer(),
  chat: [
    openaiChat({
      asksForUsage: true,
      edit: editBody(developerToSystem, narrowTools, fitEffort(templateWord)),
    }),
  ],
  ...capabilities,
  readFailure,
})
