import type { Text } from './language.ts'

/** A call of a model: proved by a token's key, spoken in a vendor's own dialect, described by that vendor. */
export interface ModelCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: Text
  /** Whose documentation describes body and answer. */
  readonly dialect: 'OpenAI' | 'Anthropic' | 'Gemini' | 'Jina'
  /** What is sent; absent: nothing. */
  readonly body?: 'json' | 'multipart'
  /** Answered with server-sent events when the client asks for that. */
  readonly streams?: true
}

const call = (
  path: string,
  dialect: ModelCall['dialect'],
  zh: string,
  en: string,
  more: Partial<ModelCall> = {},
): ModelCall => ({ method: 'POST', path, dialect, summary: { zh, en }, body: 'json', ...more })

const read = (path: string, zh: string, en: string): ModelCall => ({
  method: 'GET',
  path,
  dialect: 'OpenAI',
  summary: { zh, en },
})

/** Every address at which models are called. Any model of the token's group can be asked for at any of them. */
export const modelCalls: readonly ModelCall[] = [
  call('/v1/chat/completions', 'OpenAI', '对话', 'Chat', { streams: true }),
  call('/v1/responses', 'OpenAI', '对话（Responses）', 'Chat in the Responses form', { streams: true }),
  call('/v1/messages', 'Anthropic', '对话（Messages）', 'Chat in the Messages form', { streams: true }),
  call('/v1/messages/count_tokens', 'Anthropic', '计算 Token 数', 'Count tokens'),
  call('/v1beta/models/{model}:generateContent', 'Gemini', '对话', 'Chat'),
  call(
    '/v1beta/models/{model}:streamGenerateContent',
    'Gemini',
    '流式对话；带 alt=sse 为事件流，否则为 JSON 数组',
    'Streamed chat: events with alt=sse, else one JSON array',
    { streams: true },
  ),
  call('/v1beta/models/{model}:countTokens', 'Gemini', '计算 Token 数', 'Count tokens'),
  call('/v1beta/models/{model}:embedContent', 'Gemini', '向量', 'Embedding'),
  call('/v1beta/models/{model}:batchEmbedContents', 'Gemini', '批量向量', 'Embeddings'),
  call('/v1/completions', 'OpenAI', '文本补全', 'Text completion', { streams: true }),
  call('/v1/embeddings', 'OpenAI', '向量', 'Embeddings'),
  call('/v1/rerank', 'Jina', '重排序', 'Rerank'),
  call('/v1/moderations', 'OpenAI', '内容审核', 'Moderation'),
  call('/v1/images/generations', 'OpenAI', '生成图片', 'Make images', { streams: true }),
  call('/v1/images/edits', 'OpenAI', '编辑图片', 'Edit images', { body: 'multipart', streams: true }),
  call('/v1/audio/speech', 'OpenAI', '语音合成', 'Text to speech', { streams: true }),
  call('/v1/audio/transcriptions', 'OpenAI', '语音转文字', 'Speech to text', {
    body: 'multipart',
    streams: true,
  }),
  call('/v1/audio/translations', 'OpenAI', '语音翻译成英文', 'Speech to English text', { body: 'multipart' }),
  read('/v1/realtime', '实时对话（WebSocket）', 'Realtime conversation (WebSocket)'),
  read('/v1/models', '可用模型，形式随客户端而定', 'Usable models, in the form of whoever asks'),
  read('/v1/models/{model}', '一个模型', 'One model'),
  read('/v1beta/models', '可用模型（Gemini 形式）', 'Usable models in Gemini’s form'),
  read('/v1/dashboard/billing/subscription', '令牌额度', 'What the token may spend'),
  read('/v1/dashboard/billing/usage', '令牌用量', 'What the token has spent'),
]
