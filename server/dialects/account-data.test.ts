import { expect, test } from 'bun:test'
import { dialects } from './index.ts'
import type { JsonObject } from './json.ts'
import type { DialectName } from './spec.ts'

const file = { fileUri: 'gs://a/b' }
const kept = { type: 'file', file_id: 'file_1' }
const document = { type: 'document', source: kept }
const said = (...content: JsonObject[]): JsonObject => ({ messages: [{ role: 'user', content }] })
const picture = (url: string): JsonObject => said({ type: 'image_url', image_url: { url } })

/** What stands where few look for it. */
test.each<[DialectName, string, JsonObject]>([
  ['gemini', 'cached_content', { cached_content: 'cachedContents/1' }],
  [
    'gemini',
    'contents[0].parts[0].file_data.file_uri',
    { contents: { parts: { file_data: { file_uri: 'files/1' } } } },
  ],
  [
    'gemini',
    'systemInstruction.parts[0].fileData.fileUri',
    { systemInstruction: { parts: [{ fileData: file }] } },
  ],
  [
    'gemini',
    'contents[1].parts[0].functionResponse.parts[0].fileData.fileUri',
    { contents: [{}, { parts: [{ functionResponse: { name: 'f', parts: [{ fileData: file }] } }] }] },
  ],
  [
    'gemini',
    'tools[0].googleMaps.authConfig',
    { tools: { googleMaps: { authConfig: { authType: 'API_KEY_AUTH' } } } },
  ],
  [
    'anthropic',
    'messages[0].content[0].content[0].source.file_id',
    said({ type: 'tool_result', content: [document] }),
  ],
  ['anthropic', 'messages[0].content[0].file_id', said({ type: 'container_upload', file_id: 'file_1' })],
  [
    'anthropic',
    'messages[0].content[0].source.s3Location',
    said({ type: 'image', source: { s3Location: { uri: 's' } } }),
  ],
  [
    'anthropic',
    'messages[0].content[0].source.content[0].source.file_id',
    said({ type: 'document', source: { type: 'content', content: [{ type: 'image', source: kept }] } }),
  ],
  [
    'anthropic',
    'container.skills[0].skill_id',
    { container: { skills: [{ type: 'custom', skill_id: 'skill_1' }] } },
  ],
  [
    'openai-chat',
    'messages[0].content[0].image_url.url',
    said({ type: 'image_url', text: 'x', image_url: { url: 'ms://1' } }),
  ],
  [
    'openai-chat',
    'messages[0].content.file.file_id',
    { messages: [{ content: { file: { file_id: 'f' } } }] },
  ],
  ['openai-chat', 'messages[0].content[0].file.file_id', said({ type: 'text', file: { file_id: 'f' } })],
  [
    'openai-chat',
    'messages[0].content[0].video',
    said({ type: 'video', video: ['https://a.example', 'oss://b'] }),
  ],
  [
    'openai-chat',
    'messages[0].content[0].image_url.url',
    picture('https://key@generativelanguage.googleapis.com:443/v1beta/files/1'),
  ],
  ['openai-chat', 'messages[0].content', { messages: [{ role: 'system', content: 'fileid://file-fe-1' }] }],
  [
    'openai-chat',
    'tools[0].retrieval.knowledge_id',
    { tools: [{ type: 'retrieval', retrieval: { knowledge_id: '1' } }] },
  ],
  [
    'openai-responses',
    'input[0].output.file_id',
    { input: [{ type: 'computer_call_output', output: { file_id: 'f' } }] },
  ],
  [
    'openai-responses',
    'input[0].tools[0].vector_store_ids',
    { input: [{ type: 'additional_tools', tools: [{ type: 'file_search', vector_store_ids: ['vs'] }] }] },
  ],
  [
    'openai-responses',
    'tools[0].environment.skills[0].skill_id',
    {
      tools: [{ type: 'shell', environment: { skills: [{ type: 'skill_reference', skill_id: 'skill_1' }] } }],
    },
  ],
  [
    'openai-responses',
    'tools[0].input_image_mask.file_id',
    { tools: [{ type: 'image_generation', input_image_mask: { file_id: 'f' } }] },
  ],
])('%s: %s', (dialect, field, body) => {
  expect(dialects[dialect].accountData(body)).toBe(field)
})

test.each<[DialectName, string, JsonObject]>([
  ['gemini', 'a search', { tools: [{ googleSearch: {} }, { googleMaps: {} }, { urlContext: {} }] }],
  ['gemini', 'a null', { cachedContent: null, contents: [{ parts: [{ fileData: null, text: 'gs://a' }] }] }],
  [
    'anthropic',
    'the vendor’s own skill',
    { container: { id: 'c', skills: [{ type: 'anthropic', skill_id: 'xlsx' }] } },
  ],
  [
    'anthropic',
    'what its tools made',
    said({ type: 'bash_code_execution_tool_result', content: { content: [{ file_id: 'file_1' }] } }),
  ],
  ['openai-chat', 'base64 alone', picture('iVBORw0KGgo=')],
  ['openai-chat', 'another host', picture('https://generativelanguage.googleapis.com.example/files/1')],
  ['openai-chat', 'data', picture(' DATA:image/png;base64,iVBORw0KGgo=')],
  [
    'openai-responses',
    'functions in a namespace',
    { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function', parameters: { file_id: {} } }] }] },
  ],
  [
    'openai-responses',
    'a skill of the vendor',
    { tools: [{ type: 'shell', skills: [{ skill_id: 'openai-sheets' }] }] },
  ],
  [
    'openai-responses',
    'an empty list',
    { tools: [{ type: 'file_search', vector_store_ids: [] }], prompt: null },
  ],
])('%s: %s is anybody’s', (dialect, _what, body) => {
  expect(dialects[dialect].accountData(body)).toBeUndefined()
})
