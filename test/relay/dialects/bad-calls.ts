import type { featureErrors } from '../../../contract/errors/features.ts'
import type { fieldErrors } from '../../../contract/errors/fields.ts'
import type { Rig } from '../rig.ts'
import { chat, anthropic as claude, gemini as google, responses, type Way, ways } from '../ways.ts'

/** A request that is refused before anybody is asked, and what for. */
export interface BadCall {
  readonly code: keyof typeof fieldErrors | keyof typeof featureErrors
  readonly path: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: object | string
}

type Code = BadCall['code']

const GPT = 'gpt-4o'
const CLAUDE = 'claude-sonnet-4-6'
const GEMINI = 'gemini-2.5-flash'

/** Channels of many vendors; none of them is ever asked. */
export async function seedBadCalls(books: Pick<Rig, 'addChannel' | 'setOption'>): Promise<void> {
  const add = (type: number, models: string[], more: object = {}): Promise<number> =>
    books.addChannel({ type, baseUrl: 'http://127.0.0.1:1', key: 'k', models, ...more })
  const replace = { mode: 'replace', path: 'user', from: 'a', to: 'b'.repeat(3000) }
  await add(1, [GPT, 'text-embedding-3-small', 'gpt-image-1', 'whisper-1', 'sora-2'])
  await add(1, ['m-grown'], { setting: { param_override: { operations: [replace] } } })
  await add(1, ['m-formatted'], { setting: { force_format: true } })
  await add(14, [CLAUDE])
  await add(24, [GEMINI, 'gemini-2.5-flash-preview-tts', 'gemini-embedding-001', '..'])
  await add(25, ['m-chat-only'])
  await add(21, ['m-words'], { other: 'library' })
  await add(21, ['m-no-library'])
  await add(11, ['m-palm'], { baseUrl: 'https://generativelanguage.googleapis.com' })
  await add(39, ['m-no-account'])
  await add(33, ['claude-opus-5-5'], { key: 'k|s|somewhere' })
  await add(41, ['gemini-embedding-2'], { other: 'global' })
  await books.setOption('DefaultModelRatio', '1')
  await books.setOption('AnswerCacheSeconds', '60')
}

const of =
  (way: Way) =>
  (code: Code, model: string, more: object, stream = false): BadCall => ({
    code,
    path: way.path(encodeURIComponent(model), stream),
    body: { ...way.body(model, 'Hi', stream), ...more },
  })
const inChat = of(chat)
const inResponses = of(responses)
const inClaude = of(claude)
const inGoogle = of(google)

const user = (...content: object[]): object => ({ messages: [{ role: 'user', content }] })
const items = (...input: object[]): object => ({ input })
const config = (generationConfig: object): object => ({ generationConfig })
const parts = (...given: object[]): object => ({ contents: [{ role: 'user', parts: given }] })
const plain = (code: Code, path: string, body: object): BadCall => ({ code, path, body })

/** Deeper than a schema may be. */
const deep: object = JSON.parse(`${'{"items":'.repeat(200)}{}${'}'.repeat(200)}`)

const TYPE = { 'content-type': 'multipart/form-data; boundary=b1' }
const form = (code: Code, body: string, headers: Record<string, string> = TYPE): BadCall => ({
  ...{ code, path: '/v1/audio/transcriptions', headers, body },
})
const part = (name: string, value: string, more = ''): string =>
  `--b1\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const FILE = '; filename="f"'
const END = '--b1--\r\n'
const upload = (code: Code, ...sent: string[]): BadCall => ({
  ...{ code, path: '/v1/files', headers: TYPE, body: sent.join('') + END },
})
const line = (more: object = {}, body: object = {}): string =>
  JSON.stringify({
    ...{ custom_id: 'r', method: 'POST', url: '/v1/chat/completions' },
    body: { ...chat.body(GPT, 'Hi', false), ...body },
    ...more,
  })

export const badCalls: readonly BadCall[] = [
  ...ways.map(way => of(way)('field.spelling', way.model, { TOOLS: [] })),
  inChat('field.flag', GPT, { stream: 'yes' }),
  inClaude('field.flag', CLAUDE, { stream: 1 }),
  inGoogle('field.whole-from', GEMINI, config({ candidateCount: 0 })),
  inResponses('field.whole-from', GPT, { max_output_tokens: 0.5 }),
  inGoogle('field.twice', GEMINI, config({ maxOutputTokens: 5, max_output_tokens: 6 })),
  inChat('field.answer-too-long', GPT, { max_tokens: Number.MAX_SAFE_INTEGER, n: 2 }),
  inChat('field.model-name', 'a'.repeat(300), {}),
  inChat('field.model-in-address', '..', {}),
  inChat('field.models', GPT, { fallbacks: [5] }),
  inChat('field.most-models', GPT, { fallbacks: Array.from({ length: 40 }, (_, at) => `m${at}`) }),
  { ...inChat('field.one-of-or-seconds', GPT, {}), headers: { 'x-tollgate-cache': 'often' } },
  { ...inClaude('field.label', CLAUDE, {}), headers: { 'x-tollgate-labels': 'a%2Cb' } },
  { ...inGoogle('field.most-labels', GEMINI, {}), headers: { 'x-tollgate-labels': '1,2,3,4,5,6,7,8,9' } },
  inChat('field.too-long-for-channel', 'm-grown', { user: 'a'.repeat(5000) }),

  inChat('field.string', CLAUDE, { stop: ['a', 5] }),
  inChat('field.string-or-strings', CLAUDE, { stop: 5 }),
  inChat('field.object', CLAUDE, { tools: [5] }),
  inChat('field.list', CLAUDE, { tools: {} }),
  inChat('field.some', CLAUDE, { messages: [] }),
  inChat('field.text', CLAUDE, { tools: [{ type: 'function', function: { name: '' } }] }),
  inChat('field.string-or-list', CLAUDE, { messages: [{ role: 'user', content: 5 }] }),
  inChat('field.object-with-url', CLAUDE, user({ type: 'image_url', image_url: 5 })),
  inChat('field.data-url', CLAUDE, user({ type: 'image_url', image_url: { url: 'data:x' } })),
  inChat('field.number', CLAUDE, { temperature: 'warm' }),
  inChat('field.whole', CLAUDE, { seed: 0.5 }),
  inChat('field.one-of-or-object', CLAUDE, { tool_choice: 5 }),
  inChat('field.unknown-value', CLAUDE, { messages: [{ role: 'wizard', content: 'Hi' }] }),
  inChat('field.text-only', CLAUDE, {
    messages: [{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://x.test/a' } }] }],
  }),
  inChat('field.no-audio', CLAUDE, {
    messages: [
      { role: 'user', content: 'Hi' },
      {
        ...{ role: 'tool', tool_call_id: 'c' },
        content: [{ type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } }],
      },
    ],
  }),
  inChat('field.no-such-tool', CLAUDE, {
    tools: [{ type: 'function', function: { name: 'look' } }],
    tool_choice: { type: 'function', function: { name: 'listen' } },
  }),
  inResponses('field.empty', CLAUDE, { input: [] }),
  inResponses('field.required', CLAUDE, { text: { format: { type: 'json_schema', name: 'n' } } }),
  inResponses('field.one-of', CLAUDE, { text: { format: { type: 'xml' } } }),
  inResponses('feature.background', CLAUDE, { background: true }),
  plain('feature.interactions', '/v1/interactions', { model: CLAUDE, input: 'Hi' }),
  inResponses('field.prompt-version', GPT, { prompt: { id: 'x', version: 0.5 } }),
  inResponses('field.number-within', CLAUDE, { temperature: 9 }),
  inClaude('field.strings', GPT, { stop_sequences: [5] }),
  inClaude('field.one-of', GPT, { thinking: { type: 'on' } }),
  inGoogle('field.one-of', GPT, config({ thinkingConfig: { thinkingLevel: 'HUGE' } })),
  inGoogle('field.too-deep', GPT, config({ responseJsonSchema: deep })),
  inGoogle('field.holds-part', GPT, { contents: [{ role: 'user', parts: [] }] }),
  {
    ...{ code: 'field.page-token', path: '/v1beta/models?pageToken=%25%25', method: 'GET' },
    headers: { 'x-goog-api-key': 'x' },
  },

  plain('field.most', '/v1/images/generations', { model: 'gpt-image-1', prompt: 'a fox', n: 1000 }),
  plain('field.text-or-texts', '/v1/embeddings', { model: 'gemini-embedding-001', input: {} }),
  plain('field.holds-text', '/v1beta/models/text-embedding-3-small:embedContent', {
    content: { parts: [{ text: '' }] },
  }),
  plain('field.like', '/v1/videos', { model: 'sora-2', prompt: 'a fox', size: 'wide' }),
  plain('field.whole-within', '/v1/videos', { model: 'sora-2', prompt: 'a fox', seconds: 5000 }),
  { code: 'field.whole-within', path: '/v1/batches?limit=5000', method: 'GET' },
  { code: 'field.no-nul', path: '/v1/batches?after=%00', method: 'GET' },
  { code: 'field.whole-within', path: '/v1/messages/batches?limit=5000', method: 'GET' },
  { code: 'field.no-nul', path: '/v1/messages/batches?after_id=%00', method: 'GET' },
  { code: 'field.twice', path: '/v1/messages/batches?after_id=a&before_id=b', method: 'GET' },
  inResponses('field.conversation', GPT, { conversation: {} }),
  plain('field.list', '/v1/conversations', { items: 'x' }),
  plain('field.text-within', '/v1/containers', {}),
  { code: 'field.whole-within', path: '/v1/containers?limit=5000', method: 'GET' },
  { code: 'field.no-nul', path: '/v1/containers?after=%00', method: 'GET' },
  plain('field.some', '/v1/messages/batches', { requests: [] }),
  plain('field.list', '/v1/messages/batches', {}),
  plain('field.metadata', '/v1/batches', {
    ...{ input_file_id: 'f', endpoint: '/v1/responses', completion_window: '24h', metadata: { a: 5 } },
  }),

  plain('field.multipart', '/v1/audio/transcriptions', {}),
  form('field.form-boundary-missing', END, { 'content-type': 'multipart/form-data' }),
  form('field.form-empty', 'nothing'),
  form('field.form-boundary', '--b1x\r\n'),
  form('field.form-parts', part('a', 'b').repeat(300) + END),
  form('field.form-cut', part('model', 'whisper-1')),
  form('field.form-head', `--b1\r\nX\r\n\r\nm\r\n${END}`),
  form('field.form-head-end', `--b1\r\nContent-Disposition: form-data; name="a"\r\n${END}`),
  form('field.file', part('model', 'whisper-1') + END),
  form('field.repeated', part('file', 'x', FILE) + part('model', 'a').repeat(2) + END),
  form('field.no-file', part('file', 'x', FILE) + part('model', 'a', FILE) + END),

  upload('field.required', part('purpose', 'batch')),
  upload('field.most-characters', part('purpose', 'batch'), part('expires_after[anchor]', 'a'.repeat(1001))),
  upload('field.file', part('file', 'x')),
  upload('field.no-file', part('purpose', 'x', FILE)),
  upload('field.file-empty', part('purpose', 'batch'), part('file', '', FILE)),

  inClaude('feature.named', GPT, { container: 'c1' }),
  inResponses('feature.value', CLAUDE, { tool_choice: { type: 'mcp', server_label: 'x' } }),
  inResponses('feature.item-reference', CLAUDE, items({ type: 'item_reference', id: 'msg_1' })),
  inResponses(
    'feature.media-in-system',
    CLAUDE,
    items({ role: 'system', content: [{ type: 'input_image', file_id: 'f' }] }),
  ),
  inResponses(
    'feature.audio-in-result',
    CLAUDE,
    items(
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      {
        ...{ type: 'function_call_output', call_id: 'c' },
        output: [{ type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } }],
      },
    ),
  ),
  inResponses(
    'feature.image-by-id',
    'm-chat-only',
    items({ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }),
  ),
  inResponses(
    'feature.file-by-id',
    GEMINI,
    items({ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }),
  ),
  inGoogle(
    'feature.audio-by-address',
    'm-chat-only',
    parts({ fileData: { mimeType: 'audio/wav', fileUri: 'gs://a/b' } }),
  ),
  inGoogle(
    'feature.file-by-address',
    'm-chat-only',
    parts({ fileData: { mimeType: 'application/pdf', fileUri: 'gs://a/b' } }),
  ),
  inChat('feature.account-data', GPT, user({ type: 'image_url', image_url: { url: 's3://a/b' } })),
  inGoogle('feature.image-output', GPT, config({ responseModalities: ['IMAGE'] })),
  inGoogle('feature.audio-output', GPT, config({ responseModalities: ['AUDIO'] })),
  inGoogle('feature.video-output', GPT, config({ responseModalities: ['VIDEO'] })),
  inChat('feature.audio-output', CLAUDE, { modalities: ['text', 'audio'] }),
  inChat('feature.video-input', CLAUDE, user({ type: 'video_url', video_url: { url: 'https://x.test/a' } })),
  inChat(
    'feature.audio-input',
    CLAUDE,
    user({ type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } }),
  ),
  inChat(
    'feature.file-type',
    CLAUDE,
    user({ type: 'file', file: { filename: 'a.zip', file_data: 'data:application/zip;base64,UEsD' } }),
  ),
  inChat(
    'feature.image',
    'm-words',
    user({ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } }),
  ),
  inChat(
    'feature.audio',
    'm-words',
    user({ type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } }),
  ),
  inChat(
    'feature.file',
    'm-words',
    user({ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } }),
  ),
  inChat('feature.prefill', CLAUDE, {
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Once' },
    ],
  }),
  inChat(
    'feature.custom-tools',
    'm-formatted',
    { tools: [{ type: 'custom', custom: { name: 'shout' } }] },
    true,
  ),
  inChat('feature.several-answers', CLAUDE, { n: 2 }),
  inChat('feature.with-stops', GEMINI, { n: 2, stop: ['a', 'b', 'c', 'd', 'e', 'f'] }),
  inChat('feature.most-stops', GEMINI, { stop: Array.from({ length: 70 }, (_, at) => `stop ${at}`) }),
  inChat('feature.no-library', 'm-no-library', {}),
  inChat('feature.palm', 'm-palm', {}),
  inChat('feature.account-id', 'm-no-account', {}),
  inChat('feature.region', 'claude-opus-5-5', {}),
  plain('feature.speech-format', '/v1/audio/speech', {
    ...{ model: 'gemini-2.5-flash-preview-tts', input: 'Hi', voice: 'Kore', response_format: 'mp3' },
  }),
  plain('feature.token-input', '/v1/embeddings', { model: 'gemini-embedding-001', input: [1, 2] }),
  plain('feature.several-inputs', '/v1/embeddings', { model: 'gemini-embedding-2', input: ['a', 'b'] }),
  plain('feature.media-embeddings', '/v1beta/models/text-embedding-3-small:embedContent', {
    content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBO' } }] },
  }),
  plain('feature.mixed-batch', '/v1beta/models/text-embedding-3-small:batchEmbedContents', {
    requests: [
      { content: { parts: [{ text: 'a' }] } },
      { content: { parts: [{ text: 'b' }] }, taskType: 'CLUSTERING' },
    ],
  }),
]

/** Lines of a file of requests: what is wrong with one is said with its number. */
export const badLines: readonly BadCall[] = (
  [
    ['field.text-within', line({ custom_id: '' })],
    ['field.one-of', line({ url: '/v1/elsewhere' })],
    ['field.first-line', `${line()}\n${line({}, { model: 'other' })}\n`],
    ['feature.named', line({}, { stream: true })],
  ] as const
).map(([code, file]) => upload(code, part('purpose', 'batch'), part('file', file, FILE)))

const inBatch = (custom_id: string, more: object = {}): object => ({
  custom_id,
  params: { ...claude.body(CLAUDE, 'Hi', false), ...more },
})

/** Requests of a batch that comes with them: what is wrong with one is said with its place. */
export const badRequests: readonly BadCall[] = (
  [
    ['field.tool-name', [inBatch('a b')]],
    ['field.repeated', [inBatch('a'), inBatch('b'), inBatch('a')]],
    ['field.object', [{ custom_id: 'a', params: 'Hi' }]],
    ['field.required', [inBatch('a', { max_tokens: undefined })]],
    ['feature.named', [inBatch('a', { stream: true })]],
  ] as const
).map(([code, requests]) => plain(code, '/v1/messages/batches', { requests }))
