import { defineProvider } from '../define.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { cozeForm } from './form.ts'
import { readFailure } from './read-problem.ts'

/** Bots that somebody has built. Whole answers have to be asked for again and again there, so all come as streams. */
export const coze = defineProvider({
  type: 49,
  id: 'coze',
  name: 'Coze',
  baseUrl: 'https://api.coze.cn',
  models: [],
  credential: bearer(),
  chat: [{ dialect: cozeForm, path: () => '/v3/chat', streamsOnly: true }],
  readFailure,
  modelList: 'none',
})
