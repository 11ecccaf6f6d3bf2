import { type Destination, defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { developerToSystem } from '../kit/edits/developer-to-system.ts'
import { editBody } from '../kit/edits/edit-body.ts'
import { threeEffortWords } from '../kit/edits/effort-words.ts'
import { leaveOutForeign } from '../kit/edits/leave-out-foreign.ts'
import { narrowTools } from '../kit/edits/narrow-tools.ts'
import { anthropicChat } from '../kit/families/anthropic-family.ts'
import { openaiChat, openaiResponses, plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { forceUnthinking, forceUnthinkingClaude } from './force-unthinking.ts'
import { replayThoughts } from './replay-thoughts.ts'
import { tellSchema } from './tell-schema.ts'

const HOME = 'https://api.deepseek.com'

export const deepseek = defineProvider({
  type: 43,
  id: 'deepseek',
  name: 'DeepSeek',
  baseUrl: HOME,
  models: ['deepseek-flash'],
  credential: bearer(),
  chat: [
    openaiChat({
      path: atHome('/chat/completions', '/v1/chat/completions'),
      asksForUsage: true,
      edit: editBody(
        developerToSystem,
        threeEffortWords,
        narrowTools,
        forceUnthinking,
        tellSchema,
        replayThoughts,
      ),
    }),
    {
      ...anthropicChat({ path: '/anthropic/v1/messages', vendorOnly: true }),
      edit: editBody(leaveOutForeign, forceUnthinkingClaude),
    },
    openaiResponses({ path: '/responses', vendorOnly: true }),
  ],
  completions: plain('openai', atHome(`${HOME}/beta/completions`, '/v1/completions')),
  readFailure,
})

/** The vendor's own paths have no version; servers that stand in for it have OpenAI's. */
function atHome(home: string, elsewhere: string): (to: Destination) => string {
  return to => (to.baseUrl.startsWith(HOME) ? home : elsewhere)
}
