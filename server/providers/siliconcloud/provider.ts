import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { statusByCode } from '../kit/answers/status-by-code.ts'
import { openaiChat, plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { editConversion, nameImageFields, showImagesAsData } from './convert-images.ts'
import { showRerankUsage } from './show-rerank-usage.ts'

/** It numbers its errors: a model that it does not have is a 400, an account without money a 403. */
const readProblem = statusByCode(
  new Map([
    ['20012', 404],
    ['30001', 401],
  ]),
)

export const siliconcloud = defineProvider({
  type: 40,
  id: 'siliconcloud',
  name: 'SiliconCloud',
  baseUrl: 'https://api.siliconflow.cn',
  models: ['deepseek-ai/DeepSeek-V4.1-Flash', 'BAAI/bge-m3', 'BAAI/bge-reranker-v2-m3'],
  credential: bearer(),
  chat: [openaiChat({ asksForUsage: true, readProblem })],
  embeddings: plain('openai', '/v1/embeddings', { readProblem }),
  rerank: plain('openai', '/v1/rerank', { editAnswer: showRerankUsage, readProblem }),
  images: plain('openai', '/v1/images/generations', {
    edit: nameImageFields,
    editAnswer: showImagesAsData,
    readProblem,
  }),
  'image-edits': { ...plain('openai', '/v1/images/generations', { readProblem }), convert: editConversion },
  speech: plain('openai', '/v1/audio/speech', { readProblem }),
  transcriptions: plain('openai', '/v1/audio/transcriptions', { readProblem }),
  readFailure,
})
