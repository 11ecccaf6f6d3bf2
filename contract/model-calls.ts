import { drawingCalls, musicCalls } from './drawing-calls.ts'
import { keptByGemini } from './gemini-calls.ts'
import type { Text } from './language.ts'
import { keptByOpenai } from './openai-kept-calls.ts'

/** A call of a model: proved by a token's key, spoken in a vendor's own dialect, described by that vendor. */
export interface ModelCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly summary: Text
  /** Whose documentation describes body and answer. */
  readonly dialect:
    | 'OpenAI'
    | 'Anthropic'
    | 'Gemini'
    | 'Jina'
    | 'Cohere'
    | 'Midjourney Proxy'
    | 'Suno'
    | 'New API'
    | 'Kling'
    | 'Jimeng'
    | 'Portkey'
    | 'Mistral'
    | 'Perplexity'
    | 'LiteLLM'
    | 'MCP'
    | 'HTTP'
  /** What is sent; absent: nothing. */
  readonly body?: 'json' | 'multipart' | 'either' | 'any' | undefined
  /** Answered with server-sent events when the client asks for that. */
  readonly streams?: true
  /** Whoever asks so may get an answer that was made before. */
  readonly keeps?: true
  /** Other models may stand in for the one that is asked for. */
  readonly fallsBack?: true
  /** One of the caller's own prompts may be named in it. */
  readonly takesPrompts?: true
  /** Nobody has to bring a key. */
  readonly open?: true
  /** What is answered, where it is not JSON; '' is nothing, which a status of its own tells. */
  readonly answers?: string
  readonly example?: Readonly<Record<string, unknown>>
}

/** How that is asked for, where the operator allows it. */
export const keepsHeader = {
  name: 'x-tollgate-cache',
  description: {
    zh: '回答缓存：on、refresh（重新请求并替换）、off 或可接受的最长秒数；加上 semantic（如 "semantic, 600"）则意思相同的问题的回答也可以。响应中为 hit 或 miss，语义命中另有 x-tollgate-cache-similarity',
    en: 'A kept answer will do: on, refresh (ask anew and keep that), off, or how many seconds old it may be; with semantic (as in "semantic, 600") also that to a question which means the same. The answer says hit or miss, and x-tollgate-cache-similarity where it was such a one',
  },
} as const

/** How like the question was to which a kept answer was made, where it was not the same. */
export const SIMILARITY_HEADER = 'x-tollgate-cache-similarity'

/** How a client says that it wants its own model or none. */
export const fallbackSwitch = {
  name: 'x-tollgate-fallbacks',
  description: { zh: 'off：只使用所请求的模型', en: 'off: the model that is asked for, or none' },
} as const

/** The most models that a caller may name itself. */
export const MOST_OWN_FALLBACKS = 5

/** What a body may say of it besides what its vendor knows; none of this goes to the upstream. */
export const fallbackFields = {
  disable_fallbacks: {
    schema: { type: 'boolean' },
    description: { zh: 'true：只使用所请求的模型', en: 'true: the model that is asked for, or none' },
  },
  fallbacks: {
    schema: {
      anyOf: [
        { type: 'array', items: { type: ['string', 'object'] } },
        { type: ['string', 'object'], additionalProperties: true },
      ],
    },
    description: {
      zh: `代替运营者设置的回退模型，依次尝试，最多 ${MOST_OWN_FALLBACKS} 个；也可以是 {"模型": ["回退模型"]}，单独或在列表中`,
      en: `Models to ask in their order instead of those that the operator names, ${MOST_OWN_FALLBACKS} at most; also {"model": ["its fallback"]}, alone or in a list`,
    },
  },
  num_retries: {
    schema: { type: 'integer', minimum: 0 },
    description: {
      zh: '每个模型失败后最多再尝试多少个渠道，不超过运营者的设置',
      en: 'How many more channels of a model to ask after one fails; never more than the operator allows',
    },
  },
} as const

const anyObject = { type: 'object', additionalProperties: true }

/** How a body names one of the caller's own prompts; none of this goes to the upstream. */
export const promptFields = {
  prompt_id: {
    schema: { type: 'string' },
    description: {
      zh: '提示词库中的提示词名称。OpenAI 的接口也可用 prompt: {"id", "version", "variables"}',
      en: 'The name of one of your prompts. OpenAI’s calls take prompt: {"id", "version", "variables"} as well',
    },
  },
  prompt_version: {
    schema: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }] },
    description: {
      zh: '版本号或标签（如 staging、latest），默认使用中的版本',
      en: 'Which version, by its number or a label such as staging or latest; the one in use where it is not said',
    },
  },
  prompt_variables: {
    schema: anyObject,
    description: { zh: '提示词中 {{变量}} 的取值', en: 'What its {{variables}} are' },
  },
} as const

/** The same where the address names the prompt. */
export const promptVariables = {
  variables: { ...promptFields.prompt_variables },
} as const

const call = (
  path: string,
  dialect: ModelCall['dialect'],
  zh: string,
  en: string,
  more: Partial<ModelCall> = {},
): ModelCall => ({ method: 'POST', path, dialect, summary: { zh, en }, body: 'json', ...more })

const read = (path: string, zh: string, en: string, more: Partial<ModelCall> = {}): ModelCall => ({
  method: 'GET',
  path,
  dialect: 'OpenAI',
  summary: { zh, en },
  ...more,
})

const get: Partial<ModelCall> = { method: 'GET', body: undefined }
const ending: Partial<ModelCall> = { method: 'DELETE', body: undefined, answers: '' }
const hello = [{ role: 'user', content: 'Hello' }]
const anyone: Partial<ModelCall> = { open: true }
const asForm: Partial<ModelCall> = { body: 'multipart' }
/** As some clients send it and others do not. */
const asFormToo: Partial<ModelCall> = { body: 'either' }

const messageBatches = (path: string, zh: string, en: string, more: Partial<ModelCall> = {}): ModelCall =>
  call(`/v1/messages/batches${path}`, 'Anthropic', zh, en, more)

const messageBatchCalls: readonly ModelCall[] = [
  messageBatches('', '开始消息批处理', 'Begin a batch of messages', {
    example: {
      requests: [
        { custom_id: 'first', params: { model: 'claude-haiku-5-5', max_tokens: 1024, messages: hello } },
      ],
    },
  }),
  messageBatches('', '自己的消息批处理', 'Your batches of messages', get),
  messageBatches('/{id}', '消息批处理进度', 'How such a batch is coming on', get),
  messageBatches('/{id}', '删除消息批处理', 'Delete such a batch', { ...get, method: 'DELETE' }),
  messageBatches('/{id}/cancel', '取消消息批处理', 'Cancel such a batch', { body: undefined }),
  messageBatches('/{id}/results', '消息批处理的结果', 'What was answered in such a batch', {
    ...get,
    answers: 'application/x-jsonl',
  }),
]

const pass = (method: ModelCall['method']): ModelCall =>
  call(
    '/pass/{service}/{path}',
    'HTTP',
    '运营者提供的任意 HTTP 接口：其余路径、查询参数与请求体原样送达',
    'Any HTTP API that the operator offers: path, query and body go there as they are',
    { method, body: method === 'GET' || method === 'DELETE' ? undefined : 'any', answers: '*/*' },
  )
const passCalls = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map(pass)

/** Words are words whoever writes them, and when. */
const words: Partial<ModelCall> = { keeps: true, fallsBack: true }
const chat: Partial<ModelCall> = { ...words, takesPrompts: true }
const helloParts = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }

/** Every address at which models are called. Any model of the token's group can be asked for at any of them. */
export const modelCalls: readonly ModelCall[] = [
  call('/v1/chat/completions', 'OpenAI', '对话', 'Chat', {
    streams: true,
    ...chat,
    example: { model: 'gpt-4o-mini', messages: hello, stream: true },
  }),
  call(
    '/openai/deployments/{model}/chat/completions',
    'OpenAI',
    '对话，供 Azure 客户端使用；其他接口同理，并可写作 /openai/v1/…、/v1beta/openai/… 或省略 /v1',
    'Chat, for clients of Azure; the other calls are there too, and at /openai/v1/…, /v1beta/openai/… and without /v1',
    { streams: true, ...chat, example: { messages: hello } },
  ),
  call(
    '/v1/responses',
    'OpenAI',
    '对话（Responses）；background: true 则在后台生成',
    'Chat in the Responses form; in the background with background: true',
    { streams: true, ...chat, example: { model: 'gpt-4o-mini', input: 'Hello' } },
  ),
  read(
    '/v1/responses',
    '对话（Responses，WebSocket）：每条 response.create 消息是一次调用',
    'Chat in the Responses form over WebSocket: each response.create message is a call',
    chat,
  ),
  read(
    '/v1/responses/{id}',
    '上游保存或在后台生成的自己的响应；stream=true&starting_after=N 从中断处继续接收后台响应的事件',
    'A response of yours that its upstream stores, or makes in the background; with stream=true&starting_after=N the events of such a one from there on',
    { streams: true },
  ),
  read('/v1/responses/{id}/input_items', '该响应的输入', 'What it was made from'),
  read('/v1/responses/{id}', '删除该响应', 'Delete it', { method: 'DELETE' }),
  read('/v1/responses/{id}/cancel', '取消后台响应', 'Cancel one that is made in the background', {
    method: 'POST',
  }),
  call('/v1/responses/input_tokens', 'OpenAI', '计算 Token 数', 'Count tokens'),
  call(
    '/v1/responses/compact',
    'OpenAI',
    '压缩对话，仅限 Responses 上游',
    'Compact a conversation, where the upstream speaks Responses',
  ),
  call('/v1/messages', 'Anthropic', '对话（Messages）', 'Chat in the Messages form', {
    streams: true,
    ...chat,
    example: { model: 'claude-sonnet-4', max_tokens: 1024, messages: hello },
  }),
  call('/v1/messages/count_tokens', 'Anthropic', '计算 Token 数', 'Count tokens'),
  call('/v1beta/models/{model}:generateContent', 'Gemini', '对话', 'Chat', {
    ...chat,
    example: helloParts,
  }),
  call(
    '/v1beta/models/{model}:streamGenerateContent',
    'Gemini',
    '流式对话；带 alt=sse 为事件流，否则为 JSON 数组',
    'Streamed chat: events with alt=sse, else one JSON array',
    { streams: true, ...chat, example: helloParts },
  ),
  call('/v1beta/models/{model}:countTokens', 'Gemini', '计算 Token 数', 'Count tokens'),
  call('/v1beta/models/{model}:embedContent', 'Gemini', '向量', 'Embedding', { keeps: true }),
  call('/v1beta/models/{model}:batchEmbedContents', 'Gemini', '批量向量', 'Embeddings', { keeps: true }),
  call('/v1/completions', 'OpenAI', '文本补全', 'Text completion', { streams: true, ...words }),
  call('/v1/prompts/{id}/completions', 'Portkey', '以提示词库中的提示词对话', 'Chat by one of your prompts', {
    streams: true,
    ...words,
    example: { variables: { name: 'Ada' }, stream: true },
  }),
  call(
    '/v1/prompts/{id}/render',
    'Portkey',
    '填入变量后的提示词，不调用模型，不收费',
    'One of your prompts with its variables: no model is called, and nothing charged',
    { example: { variables: { name: 'Ada' } } },
  ),
  call('/v1/embeddings', 'OpenAI', '向量', 'Embeddings', {
    keeps: true,
    example: { model: 'text-embedding-3-small', input: ['Hello'] },
  }),
  call(
    '/v1/engines/{model}/embeddings',
    'OpenAI',
    '向量（模型写在地址中）',
    'Embeddings, of the model in the path',
    {
      keeps: true,
      example: { input: ['Hello'] },
    },
  ),
  call('/v1/rerank', 'Jina', '重排序', 'Rerank', { keeps: true }),
  call('/v2/rerank', 'Cohere', '重排序', 'Rerank', { keeps: true }),
  call('/v1/moderations', 'OpenAI', '内容审核', 'Moderation', { keeps: true }),
  call('/v1/images/generations', 'OpenAI', '生成图片', 'Make images', { streams: true }),
  call('/v1/images/edits', 'OpenAI', '编辑图片', 'Edit images', { ...asFormToo, streams: true }),
  call('/v1/edits', 'New API', '编辑图片', 'Edit images', { ...asFormToo, streams: true }),
  call(
    '/v1/alpha/search',
    'OpenAI',
    '网络搜索（Codex CLI 的独立搜索）',
    'Search the web, as the Codex CLI does beside a conversation',
  ),
  call('/v1/search', 'Perplexity', '网络搜索', 'Search the web', {
    example: { model: 'perplexity-search', query: 'latest AI developments', max_results: 5 },
  }),
  call(
    '/v1/search/{model}',
    'LiteLLM',
    '用指定的模型搜索网络',
    'Search the web with the model that the path names',
    {
      example: { query: 'latest AI developments', max_results: 5 },
    },
  ),
  call('/v1/ocr', 'Mistral', '文档识别', 'Read a document', {
    example: {
      model: 'mistral-ocr-latest',
      document: { type: 'document_url', document_url: 'https://example.com/paper.pdf' },
      pages: [0, 1],
    },
  }),
  call('/v1/audio/speech', 'OpenAI', '语音合成', 'Text to speech', { streams: true, answers: 'audio/*' }),
  call('/v1/audio/transcriptions', 'OpenAI', '语音转文字', 'Speech to text', { ...asForm, streams: true }),
  call('/v1/audio/translations', 'OpenAI', '语音翻译成英文', 'Speech to English text', asForm),
  call('/v1/videos', 'OpenAI', '生成视频', 'Make a video', asFormToo),
  call('/v1/videos/{id}/remix', 'OpenAI', '改编自己的视频', 'Remix a video of yours'),
  read('/v1/videos', '自己的视频', 'Your videos'),
  read('/v1/videos/{id}', '视频进度', 'How a video is coming on'),
  read('/v1/videos/{id}/content', '下载视频', 'Download a video', { answers: 'video/*' }),
  read('/v1/videos/{id}', '删除视频', 'Delete a video', { method: 'DELETE' }),
  call(
    '/v1/video/generations',
    'New API',
    '生成视频（任务形式）',
    'Make a video, in the form of tasks',
    asFormToo,
  ),
  call('/v1/video/generations/{id}', 'New API', '视频任务进度', 'How such a video is coming on', get),
  call(
    '/v1/video/results/{id}/{until}/{proof}.mp4',
    'New API',
    '视频文件：result_url 给出的地址，无需令牌',
    'The video, at the address that result_url gave: for anyone who has it',
    { ...get, ...anyone, answers: 'video/*' },
  ),
  call('/kling/v1/videos/text2video', 'Kling', '文生视频', 'Make a video of words'),
  call('/kling/v1/videos/image2video', 'Kling', '图生视频', 'Make a video of a picture'),
  call('/kling/v1/videos/text2video/{id}', 'Kling', '视频进度', 'How a video is coming on', get),
  call('/kling/v1/videos/image2video/{id}', 'Kling', '视频进度', 'How a video is coming on', get),
  call(
    '/jimeng/',
    'Jimeng',
    '生成视频（?Action=CVSync2AsyncSubmitTask）或查询进度（?Action=CVSync2AsyncGetResult）',
    'Make a video (?Action=CVSync2AsyncSubmitTask), or how it is coming on (?Action=CVSync2AsyncGetResult)',
  ),
  call('/v1/files', 'OpenAI', '上传文件', 'Upload a file for calls or a batch', asForm),
  read('/v1/files', '自己的文件（含 Anthropic 的）', 'Your files, also in Anthropic’s form'),
  read('/v1/files/{id}', '一个文件', 'One file'),
  read('/v1/files/{id}/content', '下载文件', 'Download a file', { answers: 'application/octet-stream' }),
  read('/v1/files/{id}', '删除文件', 'Delete a file', { method: 'DELETE' }),
  call('/v1/batches', 'OpenAI', '开始批处理', 'Begin a batch'),
  read('/v1/batches', '自己的批处理', 'Your batches'),
  read('/v1/batches/{id}', '批处理进度', 'How a batch is coming on'),
  call('/v1/batches/{id}/cancel', 'OpenAI', '取消批处理', 'Cancel a batch', { body: undefined }),
  ...messageBatchCalls,
  ...keptByOpenai,
  ...keptByGemini,
  ...drawingCalls,
  ...musicCalls,
  ...passCalls,
  call('/mcp', 'MCP', '所有可用的 MCP 服务（Streamable HTTP）', 'All usable MCP servers (streamable HTTP)', {
    streams: true,
    example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  }),
  call(
    '/mcp/{server}',
    'MCP',
    '一个 MCP 服务；也可写作 /{server}/mcp',
    'One MCP server; /{server}/mcp as well',
    {
      streams: true,
      example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    },
  ),
  call('/mcp', 'MCP', '结束 MCP 会话', 'End an MCP session', ending),
  call('/mcp/{server}', 'MCP', '结束该服务的 MCP 会话', 'End an MCP session with it', ending),
  read('/v1/realtime', '实时对话（WebSocket）', 'Realtime conversation (WebSocket)'),
  read('/v1/models', '可用模型，形式随客户端而定', 'Usable models, in the form of whoever asks'),
  read('/v1/models/{model}', '一个模型', 'One model'),
  read(
    '/v1/model/info',
    '可用模型及其价格（LiteLLM 形式）；也可不写 /v1',
    'Usable models and their prices in LiteLLM’s form; also without /v1',
  ),
  read('/v1beta/models', '可用模型（Gemini 形式）', 'Usable models in Gemini’s form', { dialect: 'Gemini' }),
  read('/v1beta/models/{model}', '一个模型（Gemini 形式）', 'One model in Gemini’s form', {
    dialect: 'Gemini',
  }),
  read(
    '/v1/dashboard/billing/subscription',
    '令牌额度；也可不写 /v1',
    'What the token may spend; also without /v1',
  ),
  read('/v1/dashboard/billing/usage', '令牌用量；也可不写 /v1', 'What the token has spent; also without /v1'),
]
