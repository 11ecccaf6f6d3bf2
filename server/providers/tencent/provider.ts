import { asArray, asObject, asText } from '../../dialects/json.ts'
import { defineProvider } from '../define.ts'
import { anthropicChat } from '../kit/families/anthropic-family.ts'
import { openaiChat, openaiResponses } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { isNew, newPath, oldAddress, TOKENHUB } from './address.ts'
import { embedConversion } from './convert-embeddings.ts'
import { tencentForm } from './form.ts'
import { readFailure } from './read-failure.ts'

/** Two platforms; which one is asked, the form of the key says. */
export const tencent = defineProvider({
  type: 23,
  id: 'tencent',
  name: 'Tencent Hunyuan',
  baseUrl: TOKENHUB,
  models: ['hy4-preview', 'hy3-preview', 'deepseek-v4-flash', 'glm-5.2', 'kimi-k2.6'],
  credential: bearer(),
  chat: [
    { ...openaiChat({ path: newPath('/v1/chat/completions'), asksForUsage: true }), serves: isNew },
    { ...openaiResponses({ vendorOnly: true }), serves: isNew },
    { ...anthropicChat({ vendorOnly: true }), serves: isNew },
    { ...oldAddress('ChatCompletions'), dialect: tencentForm },
  ],
  embeddings: { ...oldAddress('GetEmbedding'), form: 'openai', convert: embedConversion },
  readFailure,
  modelList: {
    path: newPath('/v1/models'),
    read: ({ data }) => (Array.isArray(data) ? asArray(data).flatMap(readOnline) : undefined),
  },
})

/** Those that are announced or withdrawn are listed too. */
function readOnline(value: unknown): string | [] {
  const model = asObject(value)
  const isOnline = model?.status === undefined || model.status === 'online'
  return (isOnline && asText(model?.id)) || []
}
