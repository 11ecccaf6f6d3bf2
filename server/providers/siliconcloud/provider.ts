import { defineProvider } from '../define.ts'
import { bearer } from '../kit/credentials.ts'
import { openaiChat, plain } from '../kit/openai-family.ts'
import { readFailure } from '../kit/read-failure.ts'
import { nameImageFields, showImagesAsData } from './convert-images.ts'
import { showRerankUsage } from './show-rerank-usage.ts'

export const siliconcloud = defineProvider({
  type: 40,
  id: 'siliconcloud',
  name: 'SiliconCloud',
  baseUrl: 'https://api.siliconflow.cn',
  models: ['deepseek-ai/DeepSeek-V4.1-Flash', 'BAAI/bge-m3', 'BAAI/bge-reranker-v2-m3'],
  credential: bearer(),
  chat: [openaiChat({ asksForUsage: true })],
  embeddings: plain('openai', '/v1/embeddings'),
  rerank: plain('openai', '/v1/rerank', { editAnswer: showRerankUsage }),
  images: plain('openai', '/v1/images/generations', { edit: nameImageFields, editAnswer: showImagesAsData }),
  speech: plain('openai', '/v1/audio/speech'),
  transcriptions: plain('openai', '/v1/audio/transcriptions'),
  readFailure,
})
