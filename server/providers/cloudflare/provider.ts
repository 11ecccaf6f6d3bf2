import { asArray, asObject, asText, type JsonObject } from '../../dialects/json.ts'
import { defineProvider, type Edits } from '../define.ts'
import { openaiChat, openaiResponses } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { listPath, openaiPath, runPath } from './address.ts'
import { drawsInJson, imageConversion } from './convert-images.ts'
import { transcriptConversion } from './convert-transcripts.ts'
import { readFailure, readProblem } from './read-problem.ts'

/** `other` is the id of the account. */
export const cloudflare = defineProvider({
  type: 39,
  id: 'cloudflare',
  name: 'Cloudflare',
  baseUrl: 'https://api.cloudflare.com',
  models: [
    '@cf/openai/gpt-oss-120b',
    '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
    '@cf/qwen/qwen3-30b-a3b-fp8',
  ],
  credential: bearer(),
  chat: [
    { ...openaiChat({ path: openaiPath('chat/completions') }), readProblem },
    // Only these models are behind it.
    {
      ...openaiResponses({ path: openaiPath('responses') }),
      ...{ readProblem, serves: ({ model }) => model.includes('/gpt-oss-') },
    },
  ],
  embeddings: { form: 'openai', path: openaiPath('embeddings'), edit: leaveOutEncoding, readProblem },
  images: { form: 'openai', path: runPath, convert: imageConversion, serves: drawsInJson, readProblem },
  transcriptions: { form: 'openai', path: runPath, convert: transcriptConversion, readProblem },
  readFailure,
  modelList: {
    path: listPath,
    read: ({ result }) =>
      Array.isArray(result)
        ? asArray(result).flatMap(model => asText(asObject(model)?.name) ?? [])
        : undefined,
  },
})

/** Vectors come as numbers; they are put into base64 here, for who wants that. */
function leaveOutEncoding({ encoding_format }: JsonObject): Edits | undefined {
  return encoding_format === undefined ? undefined : { encoding_format: undefined }
}
