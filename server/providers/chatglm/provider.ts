import { type Destination, defineProvider } from '../define.ts'
import { openaiChat, plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { encodeSegment } from '../kit/url.ts'
import { fitChat } from '../zhipu/fit-chat.ts'
import { chatglmForm } from './form.ts'
import { rawEvents } from './raw-events.ts'
import { readFailure, readProblem } from './read-failure.ts'
import { writeToken } from './write-token.ts'

/** Models of the third API are asked there, with a token made of the key; all others by the fourth. */
export const chatglm = defineProvider({
  type: 16,
  id: 'chatglm',
  name: 'Zhipu ChatGLM',
  baseUrl: 'https://open.bigmodel.cn',
  models: ['chatglm_turbo', 'chatglm_pro', 'glm-5.3', 'glm-4.7', 'embedding-3'],
  credential: bearer(),
  chat: [
    {
      dialect: chatglmForm,
      serves: isOld,
      path: to => `/api/paas/v3/model-api/${encodeSegment(to.model)}/${to.stream ? 'sse-invoke' : 'invoke'}`,
      credential: () => ({}),
      signer: {
        sign: (_request, to, { now }) => ({ headers: { authorization: writeToken(to.key, now()) } }),
      },
      framing: rawEvents,
    },
    {
      ...openaiChat({
        path: '/api/paas/v4/chat/completions',
        asksForUsage: true,
        edit: fitChat,
        readProblem,
      }),
      serves: to => !isOld(to),
    },
  ],
  embeddings: plain('openai', '/api/paas/v4/embeddings', { readProblem }),
  images: plain('openai', '/api/paas/v4/images/generations', { readProblem }),
  readFailure,
  modelList: 'none',
})

function isOld({ model }: Destination): boolean {
  return /^(chatglm|characterglm)/i.test(model)
}
