import { defineProvider } from '../define.ts'
import { anthropicChat } from '../kit/families/anthropic-family.ts'
import { openaiResponses } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { imageConversion } from './convert-images.ts'
import { speechConversion } from './convert-speech.ts'
import { minimaxForm } from './form.ts'
import { readFailure, readProblem } from './read-failure.ts'
import { isOld } from './write-request.ts'

export const minimax = defineProvider({
  type: 35,
  id: 'minimax',
  name: 'MiniMax',
  baseUrl: 'https://api.minimaxi.com',
  models: ['MiniMax-M3', 'MiniMax-M2.7', 'speech-2.6-hd', 'image-01', 'MiniMax-Hailuo-2.3'],
  credential: bearer(),
  chat: [
    {
      dialect: minimaxForm,
      path: to => (isOld(to.model) ? '/v1/text/chatcompletion_v2' : '/v1/chat/completions'),
    },
    {
      ...anthropicChat({ path: '/anthropic/v1/messages', vendorOnly: true }),
      serves: to => !isOld(to.model),
    },
    { ...openaiResponses({ vendorOnly: true }), serves: to => !isOld(to.model) },
  ],
  speech: { form: 'openai', path: () => '/v1/t2a_v2', convert: speechConversion, readProblem },
  images: { form: 'openai', path: () => '/v1/image_generation', convert: imageConversion, readProblem },
  readFailure,
})
