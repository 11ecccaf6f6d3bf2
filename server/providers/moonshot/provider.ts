import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { developerToSystem } from '../kit/edits/developer-to-system.ts'
import { editBody } from '../kit/edits/edit-body.ts'
import { leaveOutForeign } from '../kit/edits/leave-out-foreign.ts'
import { narrowTools } from '../kit/edits/narrow-tools.ts'
import { anthropicAt } from '../kit/families/anthropic-family.ts'
import { openaiChat } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { fitForcedTool, fitThinking, leaveThinkingOn, nameOnlyTool, replayThoughts } from './fit-thinking.ts'
import { leaveSamplingUnset } from './leave-sampling-unset.ts'

const HOME = 'https://api.moonshot.cn'
/** The plan for coding has a house of its own. */
const claude = {
  [HOME]: `${HOME}/anthropic/v1/messages`,
  'https://api.kimi.com/coding/v1': 'https://api.kimi.com/coding/v1/messages',
}

export const moonshot = defineProvider({
  type: 25,
  id: 'moonshot',
  name: 'Moonshot',
  baseUrl: HOME,
  models: ['kimi-k3', 'kimi-k2.6', 'kimi-k2.7-code', 'moonshot-v1-128k'],
  credential: bearer(),
  chat: [
    openaiChat({
      asksForUsage: true,
      edit: editBody(
        developerToSystem,
        narrowTools,
        fitThinking,
        fitForcedTool,
        replayThoughts,
        leaveSamplingUnset,
      ),
    }),
    { ...anthropicAt(claude), edit: editBody(leaveOutForeign, leaveThinkingOn, nameOnlyTool) },
  ],
  readFailure,
})
