import { defineProvider } from '../define.ts'
import { anthropicAt } from '../kit/anthropic-family.ts'
import { bearer } from '../kit/credentials.ts'
import { developerToSystem } from '../kit/developer-to-system.ts'
import { editBody } from '../kit/edit-body.ts'
import { leaveOutForeign } from '../kit/leave-out-foreign.ts'
import { narrowTools } from '../kit/narrow-tools.ts'
import { openaiChat } from '../kit/openai-family.ts'
import { readFailure } from '../kit/read-failure.ts'
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
