import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { openaiChat } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { hasPath } from '../kit/url.ts'

/** Each key belongs to one app, which decides model and sampling itself. */
export const fastgpt = defineProvider({
  type: 22,
  id: 'fastgpt',
  name: 'FastGPT',
  baseUrl: '',
  models: [],
  credential: bearer(),
  chat: [
    openaiChat({
      path: to => (hasPath(to.baseUrl) ? '/v1/chat/completions' : '/api/v1/chat/completions'),
    }),
  ],
  readFailure,
  // Whatever an app has used, its answers say one token.
  miscounts: true,
})
