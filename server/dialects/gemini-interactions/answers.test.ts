import { expect, test } from 'bun:test'
import type { JsonObject } from '../json.ts'
import type { StreamPart } from '../spec.ts'
import { geminiInteractions } from './index.ts'

const { readUsage, readAnswer, readProblem, createReader, createWatcher, isDoubtful, accountData } =
  geminiInteractions

test.each<[string, JsonObject, object | undefined]>([
  ['nothing', {}, undefined],
  ['no input', { total_output_tokens: 5 }, undefined],
  ['only input', { total_input_tokens: 5 }, { input: 5, output: 0 }],
  ['what is no count', { total_input_tokens: 5, total_output_tokens: -1 }, undefined],
  ['what is no number', { total_input_tokens: 5, total_thought_tokens: '9' }, undefined],
  [
    'all kinds',
    {
      ...{ total_input_tokens: 100, total_tool_use_tokens: 20, total_cached_tokens: 30 },
      ...{ total_output_tokens: 40, total_thought_tokens: 10 },
      input_tokens_by_modality: [
        { modality: 'text', tokens: 50 },
        { modality: 'audio', tokens: 20 },
        { modality: 'IMAGE', tokens: 30 },
      ],
      output_tokens_by_modality: [{ modality: 'image', tokens: 25 }],
      grounding_tool_count: [
        { type: 'google_search', count: 2 },
        { type: 'google_maps', count: 1 },
        { type: 'retrieval', count: 7 },
      ],
    },
    {
      ...{ input: 120, output: 50, cacheRead: 30, reasoning: 10 },
      ...{ audioInput: 20, imageInput: 30, imageOutput: 25, searches: 3 },
    },
  ],
  [
    'parts that are more than the whole',
    {
      ...{ total_input_tokens: 10, total_output_tokens: 5, total_cached_tokens: 90 },
      input_tokens_by_modality: [
        { modality: 'audio', tokens: 8 },
        { modality: 'image', tokens: 8 },
      ],
    },
    { input: 10, output: 5, cacheRead: 10, audioInput: 8, imageInput: 2 },
  ],
])('usage with %s', (_, usage, expected) => {
  expect(readUsage({ usage }) as object | undefined).toEqual(expected)
})

test('searches that only the steps tell of are counted, each question of them', () => {
  const steps = [
    { type: 'google_search_call', id: 'a', arguments: { queries: ['otters', 'weather'] } },
    { type: 'google_search_call', id: 'b', arguments: {} },
    { type: 'google_maps_call', id: 'c' },
    { type: 'google_search_result', call_id: 'a', result: [] },
  ]
  expect(readUsage({ steps, usage: { total_input_tokens: 1 } })?.searches).toBe(4)
})

const steps = [
  { type: 'user_input', content: [{ type: 'text', text: 'not of the model' }] },
  { type: 'thought', signature: 's', summary: [{ type: 'text', text: 'Hm.' }] },
  {
    type: 'model_output',
    content: [
      { type: 'text', text: 'Hello' },
      { type: 'image', data: 'aGk=' },
    ],
  },
  { type: 'function_call', id: 'c', name: 'mail', arguments: { to: 'Ada' } },
  { type: 'code_execution_call', id: 'd', arguments: { code: 'print(1)' } },
  { type: 'code_execution_result', call_id: 'd', result: '1' },
]
const parts = [
  { type: 'thinking', text: 'Hm.' },
  { type: 'text', text: 'Hello' },
  { type: 'media', data: 'aGk=', mediaType: 'application/octet-stream' },
  { type: 'tool-call', id: 'c', name: 'mail', input: '{"to":"Ada"}' },
  { type: 'tool-call', id: 'd', name: 'code_execution_call', input: '{"code":"print(1)"}' },
]

test('what the model has made is read, and how it ended', () => {
  const finishes = {
    ...{ completed: 'stop', requires_action: 'tools', incomplete: 'length', budget_exceeded: 'length' },
    ...{ requires_continuation: 'length', cancelled: 'paused' },
  }
  for (const [status, reason] of Object.entries(finishes))
    expect(readAnswer({ status, steps })).toMatchObject({ parts, finish: { reason } })
  for (const status of ['failed', 'in_progress', 'queued', undefined])
    expect(readAnswer({ status, steps })).toBeUndefined()
  expect([isDoubtful({ status: 'completed', steps: [] }), isDoubtful({ steps })]).toEqual([true, false])
})

const event = (event_type: string, more: object = {}): [string, string] => [
  event_type,
  JSON.stringify({ event_type, ...more }),
]
const delta = (index: number, given: object, more: object = {}) =>
  event('step.delta', { index, delta: given, ...more })

const frames = [
  event('interaction.created', { interaction: { id: 'v1_a', model: 'm', status: 'in_progress' } }),
  event('step.start', { index: 0, step: { type: 'thought' } }),
  delta(0, { type: 'thought_summary', content: { type: 'text', text: 'Hm.' } }),
  delta(0, { type: 'thought_signature', signature: 's' }),
  event('step.stop', { index: 0 }),
  event('step.start', { index: 1, step: { type: 'model_output', content: [{ type: 'text', text: 'He' }] } }),
  delta(1, { type: 'text', text: 'llo' }),
  delta(1, { type: 'text_annotation_delta', annotations: [{ type: 'url_citation', url: 'x' }] }),
  event('step.stop', { index: 1, usage: { total_input_tokens: 9, total_output_tokens: 2 } }),
  event('step.start', { index: 2, step: { type: 'function_call', id: 'c', name: 'mail', arguments: {} } }),
  delta(2, { type: 'arguments_delta', arguments: '{"to":' }),
  delta(2, { type: 'arguments_delta', arguments: '"Ada"}' }),
  event('step.stop', { index: 2 }),
  event('step.start', { index: 3, step: { type: 'google_search_call', id: 'd', arguments: {} } }),
  delta(3, { type: 'google_search_call', arguments: { queries: ['a', 'b'] } }),
  delta(4, { type: 'google_search_result', result: [{ search_suggestions: 'c' }] }),
]
const end = event('interaction.completed', {
  interaction: {
    ...{ id: 'v1_a', status: 'requires_action' },
    usage: { total_input_tokens: 9, total_output_tokens: 12 },
  },
})

test('a stream is read as what it says, to its end or to where it is cut', () => {
  const told: StreamPart[] = []
  const reader = createReader()
  for (const [name, data] of [...frames, end, ['done', '[DONE]'] as const])
    reader.read(name, data, part => told.push(part))
  expect(reader.end(part => told.push(part))).toBe(true)
  const said = (type: string): string =>
    told.map(part => (part.type === type && 'text' in part ? part.text : '')).join('')
  expect([said('thinking-delta'), said('text-delta')]).toEqual(['Hm.', 'Hello'])
  expect(told.flatMap(part => (part.type === 'tool-start' ? [part.name] : []))).toEqual([
    'mail',
    'google_search_call',
  ])
  expect(
    told.flatMap(part => (part.type === 'tool-input-delta' && part.index === 2 ? [part.json] : [])),
  ).toEqual(['{"to":', '"Ada"}'])
  expect(told.at(-1)).toEqual({ type: 'finish', finish: { reason: 'tools' } })
  const cut = createReader()
  for (const [name, data] of frames) cut.read(name, data, () => {})
  expect(cut.end(() => {})).toBe(false)
})

const bytes = ([name, data]: readonly [string, string]): Uint8Array =>
  Buffer.from(`event: ${name}\ndata: ${data}\n\n`)

test('what passes is watched: usage so far, tools, the end, and nothing behind it', () => {
  const watcher = createWatcher({ wantsUsage: true })
  for (const frame of frames) if (watcher.mayMatter(bytes(frame))) expect(watcher.look(...frame)).toBe('pass')
  expect(watcher.usage).toEqual({ input: 9, output: 2, searches: 2 })
  expect([watcher.toolUse, watcher.tellsLater, watcher.complete]).toEqual([{ searches: 2 }, true, false])
  expect(watcher.mayMatter(bytes(end))).toBe(true)
  expect(watcher.look(...end)).toBe('hold')
  expect([watcher.complete, watcher.look('done', '[DONE]')]).toEqual([true, 'hold'])
  expect(watcher.usage).toEqual({ input: 9, output: 12, searches: 2 })
  expect(watcher.stored).toEqual({ response: 'v1_a', items: [] })
})

const statusUpdate = (status: string, more: object = {}) =>
  event('interaction.status_update', { interaction_id: 'v1_a', status, ...more })
const used = { total_input_tokens: 9, total_output_tokens: 12 }

test('an end that only its status tells is one, until an event tells of the whole', () => {
  const started = createWatcher({ wantsUsage: true })
  expect([started.look(...statusUpdate('in_progress')), started.complete]).toEqual(['pass', false])
  for (const status of ['completed', 'requires_action', 'incomplete', 'cancelled']) {
    const watcher = createWatcher({ wantsUsage: true })
    const last = statusUpdate(status, { usage: used })
    expect([watcher.mayMatter(bytes(last)), watcher.look(...last)]).toEqual([true, 'hold'])
    // What may follow is waited for, until nothing does.
    expect([watcher.complete, watcher.awaitsUsage]).toEqual([true, true])
    // Some write the mark without its name.
    const mark = status === 'completed' ? 'done' : ''
    expect([watcher.look(mark, '[DONE]'), watcher.awaitsUsage]).toEqual(['hold', false])
    expect(watcher.usage).toEqual({ input: 9, output: 12 })
    expect(watcher.stored).toEqual({ response: 'v1_a', items: [] })
  }
  const watcher = createWatcher({ wantsUsage: true })
  watcher.look(...statusUpdate('requires_action'))
  expect([watcher.usage, watcher.awaitsUsage]).toEqual([undefined, true])
  expect([watcher.look(...end), watcher.awaitsUsage]).toEqual(['hold', false])
  expect(watcher.usage).toEqual({ input: 9, output: 12 })
})

test('one that failed by its status is no whole answer, and says why if that is told', () => {
  const watcher = createWatcher({ wantsUsage: true })
  expect(watcher.look(...statusUpdate('failed'))).toBe('drop')
  expect([watcher.complete, watcher.problem?.status]).toEqual([false, 500])
  expect(watcher.look(...event('error', { error: { code: 'unavailable', message: 'no' } }))).toBe('drop')
  expect(watcher.problem).toMatchObject({ status: 503, message: 'no' })
})

test.each(['completed', 'failed'])('a stream that ends by its status is read so: %s', status => {
  const told: StreamPart[] = []
  const reader = createReader()
  for (const [name, data] of [...frames, statusUpdate(status, { usage: used })])
    reader.read(name, data, part => told.push(part))
  expect(reader.end(part => told.push(part))).toBe(status === 'completed')
  expect(told.filter(({ type }) => type === 'finish' || type === 'problem').map(({ type }) => type)).toEqual([
    status === 'completed' ? 'finish' : 'problem',
  ])
})

test('what tools are called with and answer is not taken for what was used', () => {
  const watcher = createWatcher({ wantsUsage: true })
  const usage = { total_input_tokens: 0, total_output_tokens: 0 }
  const used = { total_input_tokens: 9, total_output_tokens: 2 }
  const foreign = { usage, metadata: { total_usage: usage } }
  for (const frame of [
    delta(0, { type: 'text', text: 'Hello' }, { metadata: { total_usage: used } }),
    delta(0, { type: 'mcp_server_tool_call', name: 'f', arguments: foreign }),
    delta(0, { type: 'mcp_server_tool_result', name: 'f', result: foreign }),
    event('step.start', { index: 1, step: { type: 'function_call', name: 'f', arguments: foreign } }),
    delta(0, { type: 'text', text: JSON.stringify(foreign) }),
  ])
    if (watcher.mayMatter(bytes(frame))) expect(watcher.look(...frame)).toBe('pass')
  expect(watcher.usage).toEqual({ input: 9, output: 2 })
  const later = delta(
    0,
    { type: 'mcp_server_tool_result', result: foreign },
    { metadata: { total_usage: { ...used, total_output_tokens: 5 } } },
  )
  expect([watcher.mayMatter(bytes(later)), watcher.look(...later)]).toEqual([true, 'pass'])
  expect(watcher.usage).toEqual({ input: 9, output: 5 })
})

test.each<[string, readonly [string, string], number]>([
  ['an error by its word', event('error', { error: { code: 'resource_exhausted', message: 'no' } }), 429],
  ['an error by its number', event('error', { error: { code: 503, message: 'no' } }), 503],
  ['an error of a kind of its own', event('error', { error: { code: 'odd', message: 'no' } }), 500],
  [
    'an end that is a failure',
    event('interaction.completed', {
      interaction: { status: 'failed', errors: [{ code: 'UNAVAILABLE', message: 'no' }] },
    }),
    503,
  ],
])('%s breaks the stream off', (_, frame, status) => {
  const watcher = createWatcher({ wantsUsage: true })
  expect(watcher.mayMatter(bytes(frame))).toBe(true)
  expect(watcher.look(...frame)).toBe('drop')
  expect(watcher.problem).toMatchObject({ status, message: 'no' })
  expect(watcher.complete).toBe(false)
})

test('errors of a call are Google’s usual ones, or say their word where others have a number', () => {
  const error = { code: 404, message: 'Not found', status: 'NOT_FOUND' }
  expect(readProblem(404, { error })).toMatchObject({ status: 404, message: 'Not found', code: 'NOT_FOUND' })
  expect(readProblem(404, { error: { code: 'not_found', message: 'No' } })).toMatchObject({
    code: 'NOT_FOUND',
  })
})

test.each<[JsonObject, string | undefined]>([
  [{ input: 'gs://words' }, undefined],
  [{ input: { type: 'image', uri: 'https://x.test/a.png' } }, undefined],
  [{ input: { type: 'image', uri: 'gs://a/b' } }, 'input[0].uri'],
  [{ input: [{ type: 'text' }, { type: 'image', uri: 'gs://a/b' }] }, 'input[1].uri'],
  [{ input: [{ type: 'user_input', content: [{ uri: 'gs://a/b' }] }] }, 'input[0].content[0].uri'],
  [{ input: [{ type: 'function_result', result: [{ uri: 'gs://a/b' }] }] }, 'input[0].result[0].uri'],
  [{ tools: [{ type: 'google_search' }, { type: 'retrieval' }] }, 'tools[1].type'],
  [
    { agent_config: { type: 'deep-research', enable_bigquery_tool: true } },
    'agent_config.enable_bigquery_tool',
  ],
  [{ agent_config: { enableBigqueryTool: true } }, 'agent_config.enableBigqueryTool'],
])('what is in the account of the channel is seen in %j', (body, field) => {
  expect(accountData(body)).toBe(field)
})
