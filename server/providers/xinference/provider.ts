import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { developerToSystem } from '../kit/edits/developer-to-system.ts'
import { editBody } from '../kit/edits/edit-body.ts'
import { fitEffort, templateWord } from '../kit/edits/fit-effort.ts'
import { narrowTools } from '../kit/edits/narrow-tools.ts'
import { openaiCapabilities, openaiChat } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'

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
