import { QIANFAN } from '../baidu/address.ts'
import { baiduModels } from '../baidu/models.ts'
import { readFailure, readProblem } from '../baidu/read-failure.ts'
import { type Credential, defineProvider } from '../define.ts'
import { readIds } from '../kit/answers/read-ids.ts'
import { openaiChat, plain } from '../kit/families/openai-family.ts'

/** An application may be named after the key. */
const bearerWithApp: Credential = key => {
  const [apiKey = '', appId = ''] = key.split('|').map(part => part.trim())
  const headers: Record<string, string> = { authorization: `Bearer ${apiKey}` }
  if (appId !== '') headers.appid = appId
  return headers
}

/** The second API alone; whatever its key looks like, it is shown as it is. */
export const baiduV2 = defineProvider({
  type: 46,
  id: 'baidu-v2',
  name: 'Baidu Qianfan V2',
  baseUrl: QIANFAN,
  models: baiduModels,
  credential: bearerWithApp,
  chat: [openaiChat({ path: '/v2/chat/completions', asksForUsage: true, readProblem })],
  completions: plain('openai', '/v2/completions', { readProblem }),
  embeddings: plain('openai', '/v2/embeddings', { readProblem }),
  images: plain('openai', '/v2/images/generations', { readProblem }),
  rerank: plain('openai', '/v2/rerank', { readProblem }),
  readFailure,
  modelList: { path: '/v2/models', read: readIds },
})
