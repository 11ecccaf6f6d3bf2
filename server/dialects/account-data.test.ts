import { expect, test } from 'bun:test'
import { dialects } from './index.ts'
import type { JsonObject } from './json.ts'
import type { DialectName } from './spec.ts'

const file = { fileUri: 'gs://a/b' }
const kept = { type: 'url', url: 'gs://a/b' }
const document = { type: 'document', source: kept }
const said = (...content: JsonObject[]): JsonObject => ({ messages: [{ role: 'user', content }] })
const picture = (url: string): JsonObject => said({ type: 'image_url', image_url: { url } })

/** What stands where few look for it. */
test.each<[DialectName, string, JsonObject]>([
  [
    'gemini',
    'contents[0].parts[0].file_data.file_uri',
    { contents: { parts: { file_data: { file_uri: ' GS://a/b' } } } },
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
    'messages[0].content[0].content[0].source.url',
    said({ type: 'tool_result', content: [document] }),
  ],
  ['gemini', 'modelArmorConfig', { modelArmorConfig: { promptTemplateName: 'projects/p/templates/t' } }],
  ['gemini', 'output_config.outputUriPrefix', { output_config: { outputUriPrefix: 'gs://bucket/' } }],
  ['gemini', 'tools[0].parallelAiSearch', { tools: [{ parallelAiSearch: { apiKey: '' } }] }],
  [
    'anthropic',
    'messages[0].content[0].source.s3Location',
    said({ type: 'image', source: { s3Location: { uri: 's' } } }),
  ],
  [
    'anthropic',
    'messages[0].content[0].source.content[0].source.url',
    said({ type: 'document', source: { type: 'content', content: [{ type: 'image', source: kept }] } }),
  ],
  [
    'openai-chat',
    'messages[0].content[0].image_url.url',
    said({ type: 'image_url', text: 'x', image_url: { url: 's3://1' } }),
  ],
  ['openai-chat', 'messages[0].content.file.url', { messages: [{ content: { file: { url: 'gs://f' } } }] }],
  ['openai-chat', 'messages[0].content[0].file.url', said({ type: 'text', file: { url: 'gs://f' } })],
  [
    'openai-chat',
    'messages[0].content[0].video',
    said({ type: 'video', video: ['https://a.example', 'oss://b'] }),
  ],
  [
    'openai-responses',
    'input[0].output.image_url',
    { input: [{ type: 'computer_call_output', output: { image_url: 'file:///etc/passwd' } }] },
  ],
  [
    'openai-responses',
    'input[0].tools[0].tunnel_id',
    { input: [{ type: 'additional_tools', tools: [{ type: 'mcp', tunnel_id: 'tunnel_1' }] }] },
  ],
])('%s: %s', (dialect, field, body) => {
  expect(dialects[dialect].accountData(body)).toBe(field)
})

test.each<[DialectName, string, JsonObject]>([
  ['gemini', 'a search', { tools: [{ googleSearch: {} }, { googleMaps: {} }, { urlContext: {} }] }],
  ['gemini', 'a null', { contents: [{ parts: [{ fileData: null, text: 'gs://a' }] }] }],
  ['gemini', 'a file that Google keeps', { contents: [{ parts: [{ fileData: { fileUri: 'files/1' } }] }] }],
  ['gemini', 'a search with a key', { tools: [{ parallel_ai_search: { api_key: 'k' } }] }],
  ['gemini', 'a cache', { cachedContent: 'cachedContents/1' }],
  ['anthropic', 'a file', said({ type: 'document', source: { type: 'file', file_id: 'file_1' } })],
  ['anthropic', 'a skill', { container: { skills: [{ type: 'custom', skill_id: 'skill_1' }] } }],
  ['openai-chat', 'a file', said({ type: 'file', file: { file_id: 'file-1' } })],
  ['openai-chat', 'a file of Moonshot', picture('ms://file-1')],
  ['openai-chat', 'base64 alone', picture('iVBORw0KGgo=')],
  ['openai-chat', 'data', picture(' DATA:image/png;base64,iVBORw0KGgo=')],
  [
    'openai-responses',
    'functions in a namespace',
    {
      tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function', parameters: { tunnel_id: {} } }] }],
    },
  ],
  [
    'openai-responses',
    'a store',
    { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }], prompt: { id: 'pmpt_1' } },
  ],
])('%s: %s is anybody’s', (dialect, _what, body) => {
  expect(dialects[dialect].accountData(body)).toBeUndefined()
})
