import type { ModelCall } from './model-calls.ts'

const on = (
  method: ModelCall['method'],
  path: string,
  zh: string,
  en: string,
  body?: ModelCall['body'],
  more: Partial<ModelCall> = {},
): ModelCall => ({ method, path, dialect: 'Gemini', summary: { zh, en }, body, ...more })

const interaction: Partial<ModelCall> = {
  ...{ streams: true, takesPrompts: true, fallsBack: true },
  example: { model: 'gemini-2.5-flash', input: 'Hello' },
}

/** Its interactions, what it keeps for later calls, and what it answers in batches. */
export const keptByGemini: readonly ModelCall[] = [
  on(
    'POST',
    '/v1/interactions',
    '对话（Interactions），仅限 Gemini 渠道；background: true 则在后台生成',
    'Interactions, where the channel is of Google Gemini; in the background with background: true',
    'json',
    interaction,
  ),
  on(
    'POST',
    '/v1beta/interactions',
    '同上，供使用 v1beta 的客户端；以下几项亦然',
    'The same for clients that ask for v1beta, as are those below',
    'json',
    interaction,
  ),
  on(
    'GET',
    '/v1/interactions/{id}',
    '上游保存或在后台生成的自己的 Interaction；stream=true&last_event_id=… 从中断处继续接收后台的事件',
    'An interaction of yours that its upstream stores, or makes in the background; with stream=true&last_event_id=… the events of such a one from there on',
    undefined,
    { streams: true },
  ),
  on('DELETE', '/v1/interactions/{id}', '删除该 Interaction', 'Delete it'),
  on(
    'POST',
    '/v1/interactions/{id}/cancel',
    '取消后台的 Interaction',
    'Cancel one that is made in the background',
  ),
  on(
    'POST',
    '/upload/v1beta/files',
    '上传文件：先以 X-Goog-Upload-Command: start 开始，再把内容发到 X-Goog-Upload-URL 给出的地址（无需令牌）',
    'Upload a file: begun with X-Goog-Upload-Command: start, its bytes go to the address in X-Goog-Upload-URL, which needs no token',
    'any',
  ),
  on('GET', '/v1beta/files', '自己的文件（Gemini 形式）', 'Your files in Gemini’s form'),
  on('GET', '/v1beta/files/{id}', '一个文件（Gemini 形式）', 'One file in Gemini’s form'),
  on(
    'GET',
    '/v1beta/files/{id}:download',
    '下载批处理的回答文件（Gemini 形式）',
    'Download the file that a batch in Gemini’s form was answered in',
  ),
  on('DELETE', '/v1beta/files/{id}', '删除文件（Gemini 形式）', 'Delete a file in Gemini’s form'),
  on('POST', '/v1beta/cachedContents', '创建上下文缓存', 'Make a context cache', 'json'),
  on('GET', '/v1beta/cachedContents', '自己的上下文缓存', 'Your context caches'),
  on('GET', '/v1beta/cachedContents/{id}', '一个上下文缓存', 'One context cache'),
  on(
    'PATCH',
    '/v1beta/cachedContents/{id}',
    '修改上下文缓存的有效期',
    'Change how long a context cache lasts',
    'json',
  ),
  on('DELETE', '/v1beta/cachedContents/{id}', '删除上下文缓存', 'Delete a context cache'),
  on(
    'POST',
    '/v1beta/models/{model}:batchGenerateContent',
    '开始批处理（Gemini 形式）',
    'Begin a batch in Gemini’s form',
    'json',
  ),
  on('GET', '/v1beta/batches', '自己的批处理（Gemini 形式）', 'Your batches in Gemini’s form'),
  on(
    'GET',
    '/v1beta/batches/{id}',
    '批处理进度与回答（Gemini 形式）',
    'How a batch in Gemini’s form is coming on, and what it answered',
  ),
  on('POST', '/v1beta/batches/{id}:cancel', '取消批处理（Gemini 形式）', 'Cancel a batch in Gemini’s form'),
  on('DELETE', '/v1beta/batches/{id}', '删除批处理（Gemini 形式）', 'Delete a batch in Gemini’s form'),
]
