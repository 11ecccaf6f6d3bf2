import type { JsonObject } from '../../dialects/json.ts'
import { type ChatEndpoint, type Destination, defineProvider, type Edits } from '../define.ts'
import { readIds } from '../kit/answers/read-ids.ts'
import { anthropicChat } from '../kit/families/anthropic-family.ts'
import { openaiChat, openaiResponses, plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { at, speaksOwnForm } from './address.ts'
import { drawsAtOnce, editConversion, promptConversion, taskConversion } from './convert-images.ts'
import { rerankConversion } from './convert-rerank.ts'
import { fitChat, fitResponses, onlyStreams } from './fit-chat.ts'
import { nativeForm } from './native-form.ts'
import { readFailure, readProblem } from './read-failure.ts'
import { isMultimodal } from './write-native.ts'

const TASKS = '/api/v1/services/aigc'
const MULTIMODAL = `${TASKS}/multimodal-generation/generation`

const compatible: ChatEndpoint = openaiChat({
  path: at('/compatible-mode/v1/chat/completions'),
  asksForUsage: true,
  edit: fitChat,
  searchesUntold: body => Boolean(body.enable_search),
})

export const ali = defineProvider({
  type: 17,
  id: 'ali',
  name: 'Alibaba Qwen',
  baseUrl: 'https://dashscope.aliyuncs.com',
  models: [
    'qwen3.8-max',
    'qwen3.8-flash',
    'qwen3.7-max',
    'qwen3.7-plus',
    'qwen3.6-flash',
    'qwen-plus',
    'text-embedding-v4',
    'gte-rerank-v2',
    'qwen-image-2.0',
    'wan2.6-t2v',
    'wan2.6-i2v',
  ],
  credential: bearer(),
  chat: [
    {
      dialect: nativeForm,
      serves: speaksOwnForm,
      path: to => at(isMultimodal(to.model) ? MULTIMODAL : `${TASKS}/text-generation/generation`)(to),
      headers: writeNativeHeaders,
    },
    { ...compatible, serves: to => !speaksOwnForm(to) && onlyStreams(to.model), streamsOnly: true },
    { ...compatible, serves: to => !speaksOwnForm(to) },
    {
      ...anthropicChat({ path: '/apps/anthropic/v1/messages', vendorOnly: true }),
      serves: to => !speaksOwnForm(to) && speaksAnthropic(to.model),
    },
    {
      ...openaiResponses({ path: '/compatible-mode/v1/responses', vendorOnly: true }),
      edit: fitResponses,
      serves: to => !speaksOwnForm(to) && speaksResponses(to.model),
    },
  ],
  completions: plain('openai', at('/compatible-mode/v1/completions')),
  embeddings: plain('openai', at('/compatible-mode/v1/embeddings'), { edit: askForNumbers }),
  rerank: {
    form: 'openai',
    path: at('/api/v1/services/rerank/text-rerank/text-rerank'),
    convert: rerankConversion,
    readProblem,
  },
  images: [
    {
      form: 'openai',
      serves: to => drawsAtOnce(to.model),
      path: at(MULTIMODAL),
      convert: promptConversion,
      readProblem,
    },
    {
      form: 'openai',
      path: at(`${TASKS}/text2image/image-synthesis`),
      headers: () => ({ 'x-dashscope-async': 'enable' }),
      convert: taskConversion,
      readProblem,
    },
  ],
  'image-edits': {
    form: 'openai',
    serves: to => drawsAtOnce(to.model),
    path: at(MULTIMODAL),
    convert: editConversion,
    readProblem,
  },
  readFailure,
  modelList: {
    path: at('/compatible-mode/v1/models'),
    read: readIds,
  },
})

function writeNativeHeaders({ stream, other }: Destination): Record<string, string> {
  const headers: Record<string, string> = {}
  if (stream) headers['x-dashscope-sse'] = 'enable'
  if (other.trim() !== '') headers['x-dashscope-plugin'] = other.replace(/[^ -~]+/g, ' ').trim()
  return headers
}

function speaksAnthropic(model: string): boolean {
  return /^qwen(3\.\d|3-(max|coder)|-(max|plus|flash|turbo))/i.test(model)
}

function speaksResponses(model: string): boolean {
  return /^qwen(3\.\d|3-(max|coder)|-(plus|flash))/i.test(model)
}

/** Vectors come as numbers only; clients that want them packed get them packed here. */
function askForNumbers({ encoding_format }: JsonObject): Edits | undefined {
  return encoding_format === 'base64' ? { encoding_format: 'float' } : undefined
}
