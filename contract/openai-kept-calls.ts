import type { ModelCall } from './model-calls.ts'

const on = (
  method: ModelCall['method'],
  path: string,
  zh: string,
  en: string,
  body?: ModelCall['body'],
): ModelCall => ({ method, path, dialect: 'OpenAI', summary: { zh, en }, body })

/** What OpenAI's accounts keep for later calls. */
export const keptByOpenai: readonly ModelCall[] = [
  on('POST', '/v1/conversations', '创建对话', 'Make a conversation', 'json'),
  on('GET', '/v1/conversations/{id}', '一个对话', 'One conversation'),
  on('POST', '/v1/conversations/{id}', '修改对话的 metadata', 'Change a conversation’s metadata', 'json'),
  on('DELETE', '/v1/conversations/{id}', '删除对话', 'Delete a conversation'),
  on('POST', '/v1/conversations/{id}/items', '向对话添加条目', 'Add items to a conversation', 'json'),
  on('GET', '/v1/conversations/{id}/items', '对话中的条目', 'The items of a conversation'),
  on('GET', '/v1/conversations/{id}/items/{item}', '对话中的一个条目', 'One item of a conversation'),
  on('DELETE', '/v1/conversations/{id}/items/{item}', '从对话删除条目', 'Delete an item of a conversation'),
  on(
    'POST',
    '/v1/containers',
    '创建运行代码的容器（按 20 分钟收费）',
    'Make a container for code, paid for 20 minutes',
    'json',
  ),
  on('GET', '/v1/containers', '自己的容器', 'Your containers'),
  on('GET', '/v1/containers/{id}', '一个容器', 'One container'),
  on('DELETE', '/v1/containers/{id}', '删除容器', 'Delete a container'),
  on('POST', '/v1/containers/{id}/files', '向容器上传文件', 'Put a file into a container', 'multipart'),
  on('GET', '/v1/containers/{id}/files', '容器中的文件', 'The files of a container'),
  on('GET', '/v1/containers/{id}/files/{file}', '容器中的一个文件', 'One file of a container'),
  on('DELETE', '/v1/containers/{id}/files/{file}', '从容器删除文件', 'Delete a file of a container'),
  {
    ...on(
      'GET',
      '/v1/containers/{id}/files/{file}/content',
      '下载容器中的文件',
      'Download a file of a container',
    ),
    answers: 'application/octet-stream',
  },
]
