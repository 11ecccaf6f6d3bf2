import { type Credential, defineProvider, type PlainEndpoint } from '../define.ts'
import { readIds } from '../kit/answers/read-ids.ts'
import { openaiChat, plain } from '../kit/families/openai-family.ts'
import { isNew, isOld, newPath, oldPath, QIANFAN } from './address.ts'
import { embedConversion } from './convert-embeddings.ts'
import { baiduSigner } from './fetch-token.ts'
import { baiduForm } from './form.ts'
import { baiduModels } from './models.ts'
import { readFailure, readProblem } from './read-failure.ts'
import { readKey } from './read-key.ts'

const bearerWithApp: Credential = key => {
  const read = readKey(key)
  const headers: Record<string, string> = { authorization: `Bearer ${read.apiKey}` }
  if (read.kind === 'bearer' && read.appId) headers.appid = read.appId
  return headers
}

/** Two APIs at two addresses; which one is asked, the form of the key says. */
export const baidu = defineProvider({
  type: 15,
  id: 'baidu',
  name: 'Baidu',
  baseUrl: QIANFAN,
  models: baiduModels,
  credential: bearerWithApp,
  chat: [
    {
      ...openaiChat({ path: newPath('/v2/chat/completions'), asksForUsage: true }),
      serves: isNew,
      readProblem,
    },
    {
      dialect: baiduForm,
      serves: isOld,
      path: oldPath('chat'),
      credential: () => ({}),
      signer: baiduSigner,
    },
  ],
  completions: newOnly('/v2/completions'),
  embeddings: [
    newOnly('/v2/embeddings'),
    {
      form: 'openai',
      serves: isOld,
      path: oldPath('embeddings'),
      credential: () => ({}),
      signer: baiduSigner,
      convert: embedConversion,
    },
  ],
  images: newOnly('/v2/images/generations'),
  rerank: newOnly('/v2/rerank'),
  readFailure,
  modelList: {
    path: newPath('/v2/models'),
    read: readIds,
  },
})

function newOnly(path: string): PlainEndpoint {
  return { ...plain('openai', newPath(path)), serves: isNew, readProblem }
}
