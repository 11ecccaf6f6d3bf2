import { expect, test } from 'bun:test'
import { modelCalls } from '../../../contract/model-calls.ts'
import { findMcpPath } from '../../mcp/read-visit.ts'
import { taskVendors } from '../../tasks/index.ts'
import { findTask } from '../../tasks/serve-task.ts'
import { dialectOfPath, matchRoute, posts } from './match-route.ts'

function match(method: string, path: string, headers: Record<string, string> = {}) {
  return matchRoute(new Request(`http://a${path}`, { method, headers }), path.split('?')[0] ?? '')
}

/** An address as a client has it. */
function fill(path: string): string {
  const until = '1794900000'
  const names: Record<string, string> = {
    model: 'gpt-4o',
    id: 'x',
    item: 'msg_1',
    file: 'cfile_1',
    server: 'docs',
    service: 'search',
    path: 'v1/find',
    until,
    proof: 'a'.repeat(64),
  }
  return path.replace(/\{(\w+)\}/g, (_, name) => names[name] ?? '')
}

test.each(modelCalls.map(call => [call.method, call.path] as const))('%s %s is served', (method, path) => {
  const named = fill(path)
  // What a socket is opened with.
  const headers = method === 'GET' ? { upgrade: 'websocket', 'sec-websocket-key': 'x' } : undefined
  expect(findTask(method, named) ?? match(method, named, headers) ?? findMcpPath(named)).toBeDefined()
})

test('a socket of the Responses API is only for who wants one', () => {
  const headers = { upgrade: 'WebSocket', 'sec-websocket-key': 'x' }
  const route = { kind: 'responses-socket', dialect: 'openai-responses' } as const
  expect(match('GET', '/v1/responses', headers)).toEqual(route)
  expect(match('GET', '/openai/v1/responses', headers)).toEqual(route)
  expect(match('GET', '/v1/responses')).toBeUndefined()
  expect(match('GET', '/v1/responses', { upgrade: 'h2c' })).toBeUndefined()
  expect(match('GET', '/v1/responses/resp_1', headers)?.kind).toBe('stored')
})

test('what is stored can be seen and deleted, and nothing else', () => {
  const route = { kind: 'stored', dialect: 'openai-responses', id: 'resp_1' } as const
  for (const method of ['GET', 'DELETE'])
    expect(match(method, '/v1/responses/resp_1')).toEqual({ ...route, what: '', method } as never)
  const items = '/openai/v1/responses/resp_1/input_items'
  expect(match('GET', items)).toEqual({ ...route, what: '/input_items', method: 'GET' })
  for (const path of [items, '/v1/responses', '/v1/responses/a.b', `/v1/responses/${'a'.repeat(201)}`])
    expect(match('DELETE', path)).toBeUndefined()
})

test('what is served is in the API description', () => {
  const told = modelCalls.flatMap(({ method, path }) => (method === 'POST' ? [path] : []))
  // The playground is the console's own.
  const served = Object.keys(posts).filter(path => !path.startsWith('/pg/'))
  expect(served.filter(path => !told.includes(path))).toEqual([])
})

test('and so is every address of a long job', () => {
  const told = modelCalls.map(({ method, path }) => ({ method, path: fill(path) }))
  const untold = taskVendors.flatMap(({ routes }) =>
    routes.filter(
      route => !told.some(({ method, path }) => method === route.method && route.path.test(path)),
    ),
  )
  // Made for one job and told to its upstream alone.
  expect(untold.map(({ path }) => path.source).filter(path => !path.includes('notify'))).toEqual([])
})

test.each([
  ['POST', '/v1beta/models/gemini-3:generateContent', { model: 'gemini-3', stream: false }],
  ['POST', '/v1beta/models/gemini-3:streamGenerateContent?alt=sse', { stream: true, asArray: false }],
  ['POST', '/v1beta/models/gemini-3:streamGenerateContent?key=a', { stream: true, asArray: true }],
  ['POST', '/v1beta/models/llama3%3A8b:generateContent', { model: 'llama3:8b' }],
  ['POST', '/v1beta/models/llama3:8b:generateContent', { model: 'llama3:8b' }],
  ['POST', '/v1beta/models/gemini-3%3AgenerateContent', { model: 'gemini-3', stream: false }],
  ['POST', '/v1beta/models/org%2Fllama3%3a8b%3astreamGenerateContent?%24alt=sse', { model: 'org/llama3:8b' }],
  ['POST', '/v1beta/models/gemini-3:streamGenerateContent?$alt=SSE', { stream: true, asArray: false }],
  ['POST', '/v1/engines/embed/embeddings', { capability: 'embeddings', model: 'embed' }],
  ['POST', '/openai/deployments/my%20gpt/chat/completions?api-version=1', { kind: 'chat', model: 'my gpt' }],
  ['POST', '/openai/deployments/gpt-4o/audio/speech', { capability: 'speech', model: 'gpt-4o' }],
  ['POST', '/v1/search/my%20search', { capability: 'web-search', model: 'my search' }],
  ['POST', '/v1/ocr', { capability: 'ocr', dialect: 'openai-chat' }],
  ['POST', '/openai/v1/chat/completions', { kind: 'chat' }],
  ['GET', '/openai/v1/models', { kind: 'models' }],
  ['GET', '/v1/models/deepseek-ai/DeepSeek-V3', { id: 'deepseek-ai/DeepSeek-V3' }],
  ['GET', '/dashboard/billing/usage', { what: 'usage' }],
  ['PATCH', '/pass/search/v1/a%2Fb//c?x=1', { kind: 'pass', model: 'search', path: '/v1/a%2Fb//c' }],
  ['GET', '/pass/a%2Fb', { kind: 'pass', model: 'a/b', path: '' }],
  ['POST', '/pass/v1/chat/completions', { kind: 'pass', model: 'v1', path: '/chat/completions' }],
])('%s %s', (method, path, expected) => {
  expect(match(method, path)).toMatchObject(expected)
})

test.each([
  ['GET', '/v1/chat/completions'],
  ['POST', '/v1/nope'],
  ['POST', '/v1//chat/completions'],
  ['POST', '/v1/%63hat/completions'],
  ['POST', '/V1/chat/completions'],
  ['POST', '/v1/chat/completions/'],
  ['POST', '/__proto__'],
  ['POST', '/v1beta/models/x:nope'],
  ['POST', '/v1/search/'],
  ['POST', '/v1/search/a/b'],
  ['GET', '/v1/search'],
  ['GET', '/openai/deployments/gpt-4o/chat/completions'],
  ['POST', '/openai/deployments/gpt-4o/messages'],
  ['POST', '/openai/chat/completions'],
  ['DELETE', '/v1/models/x'],
  ['GET', '/pass/'],
  ['GET', '/pass//x'],
  ['GET', '/passes/x/y'],
])('%s %s is not served', (method, path) => {
  expect(match(method, path)).toBeUndefined()
})

test('a list is given in the form of whoever asks', () => {
  const list = (headers: Record<string, string>) => match('GET', '/v1/models', headers)?.dialect
  expect(list({ 'anthropic-version': '2023-06-01' })).toBe('anthropic')
  expect(list({ 'x-goog-api-key': 'k' })).toBe('gemini')
  expect(list({ authorization: 'Bearer k' })).toBe('openai-chat')
})

test('errors before a route is known are in the dialect of the path', () => {
  const paths = ['/v1/messages/nope', '/v1beta/nope', '/v1beta/openai/nope', '/v1/nope']
  expect(paths.map(dialectOfPath)).toEqual(['anthropic', 'gemini', 'openai-chat', 'openai-chat'])
  expect(['/v1/interactions', '/v1/interactions/nope/nope'].map(dialectOfPath)).toEqual(['gemini', 'gemini'])
})
