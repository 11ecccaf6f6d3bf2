import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import {
  gatewayCapabilities,
  openaiCapabilities,
  openaiChat,
  openaiRealtime,
} from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { endsBeforeCalls, fillModel, hasPath } from '../kit/url.ts'
import { openaiModels } from '../openai/models.ts'

/**
 * The operator's URL, in one of two forms:
 * - with a path, such as `https://house.example/{model}/chat`: the whole address of chat, and of nothing else;
 *   other addresses are not guessed from it.
 * - only a host, or ending in a version (`https://house.example/v1`) or as OpenAI's own base URL does elsewhere
 *   (`https://house.example/v1/openai`): a base like OpenAI's, for everything.
 */
export const custom = defineProvider({
  type: 8,
  id: 'custom',
  name: 'Custom',
  baseUrl: '',
  models: openaiModels,
  credential: bearer(),
  chat: [
    openaiChat({
      path: to => (isWholeAddress(to.baseUrl) ? fillModel(to.baseUrl, to.model) : '/v1/chat/completions'),
      asksForUsage: true,
    }),
  ],
  ...openaiCapabilities,
  ...gatewayCapabilities,
  realtime: openaiRealtime,
  readFailure,
  isWholeAddress,
})

function isWholeAddress(baseUrl: string): boolean {
  return hasPath(baseUrl) && !endsBeforeCalls(baseUrl)
}
