import { describe, expect, test } from 'bun:test'
import { linesOf, readAtEveryCut } from '../../../test/providers/cut-stream.ts'
import type { NeutralRequest, StreamPart } from '../../dialects/spec.ts'
import { sse } from '../../dialects/sse.ts'
import { readUsage } from './read-answer.ts'
import { AgentReader } from './stream-reader.ts'
import { writeRequest } from './write-request.ts'

const to = { baseUrl: '', key: 'k', stream: false, other: '', organization: undefined }
const hi: NeutralRequest = {
  ...{ model: 'x', stream: false, system: [], tools: [] },
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
}
const write = (model: string, more: Partial<NeutralRequest> = {}) =>
  writeRequest({ ...hi, ...more }, { ...to, model })

describe('models', () => {
  test.each([
    ['sonar', { model: 'perplexity/sonar' }],
    ['sonar-pro', { model: 'perplexity/sonar', preset: 'low' }],
    ['sonar-deep-research', { model: 'perplexity/sonar', preset: 'medium' }],
  ])('%s', (model, named) => {
    expect(write(model)).toMatchObject({ ...named, tools: [{ type: 'web_search' }] })
  })

  test('of other vendors search only when they are asked to', () => {
    expect(write('openai/gpt-5.1')).not.toHaveProperty('tools')
    expect(write('anthropic/claude-sonnet-4-5')).toMatchObject({ max_output_tokens: 8192 })
  })
})

test('where to look is told in its words, whoever says it', () => {
  const search = (by: 'openai-chat' | 'anthropic' | 'openai-responses', settings: NonNullable<object>) =>
    write('sonar', { tools: [{ type: 'web-search', by, settings: { ...settings } }] }).tools
  expect(search('openai-chat', { search_recency_filter: 'day', search_context_size: 'low' })).toEqual([
    { type: 'web_search', search_context_size: 'low', filters: { search_recency_filter: 'day' } },
  ])
  expect(search('anthropic', { allowed_domains: ['a.org'], blocked_domains: ['b.org'] })).toEqual([
    { type: 'web_search', filters: { search_domain_filter: ['a.org', '-b.org'] } },
  ])
  const location = { type: 'approximate', country: 'FR', timezone: 'x' }
  expect(search('openai-responses', { user_location: location })).toEqual([
    { type: 'web_search', user_location: { country: 'FR' } },
  ])
})

test('searches and what the cache gave are counted', () => {
  const usage = {
    ...{ input_tokens: 10, output_tokens: 3, total_tokens: 13 },
    input_tokens_details: { cache_read_input_tokens: 4, cache_creation_input_tokens: 2 },
    tool_calls_details: { search_web: { invocation: 2 }, fetch_url: { invocation: 9 } },
  }
  expect(readUsage({ usage })).toEqual({ input: 10, output: 3, cacheRead: 4, cacheWrite: 2, searches: 2 })
  expect(readUsage({ usage: { input_tokens: 1 } })).toBeUndefined()
})

const item = { type: 'function_call', id: 'fc', call_id: 'c', name: 'f', arguments: '{"a":1}' }
const found = { type: 'search_results', results: [{ url: 'https://a', title: 'A' }, null, { title: 'x' }] }
const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi you' }] }
const usage = { input_tokens: 5, output_tokens: 2 }
const events = (...list: object[]) => linesOf(list.map(one => `data: ${JSON.stringify(one)}\n\n`).join(''))

function read(...list: object[]): StreamPart[] {
  const parts: StreamPart[] = []
  const reader = new AgentReader()
  for (const one of list) reader.read('', JSON.stringify(one), part => parts.push(part))
  reader.end(part => parts.push(part))
  return parts
}

describe('streams', () => {
  const created = { type: 'response.created', response: { id: 'r', model: 'm' } }
  const delta = (text: string) => ({ type: 'response.output_text.delta', item_id: 'i', delta: text })
  const whole = { id: 'r', model: 'm', status: 'completed', output: [found, said, item], usage }
  const completed = { type: 'response.completed', response: whole }

  test('say every text and every call once, wherever the bytes are cut', () => {
    const done = { type: 'response.output_item.done', output_index: 1, item }
    const stream = events(
      created,
      { type: 'response.reasoning.started' },
      delta('Hi '),
      delta('you'),
      done,
      completed,
    )
    const parts = readAtEveryCut(sse, () => new AgentReader(), stream, stream.length - 2)
    expect(parts.filter(part => part.type === 'text-delta').map(part => part.text)).toEqual(['Hi ', 'you'])
    expect(parts.filter(part => part.type === 'tool-start')).toHaveLength(1)
    expect(parts).toContainEqual({ type: 'usage', usage: { input: 5, output: 2 } })
    expect(parts).toContainEqual({
      type: 'citation',
      citation: { type: 'citation', url: 'https://a', title: 'A' },
    })
    expect(parts.at(-1)).toEqual({ type: 'finish', finish: { reason: 'tools' } })
  })

  test('may bring all in the last event', () => {
    const parts = read(completed)
    expect(parts.map(({ type }) => type)).toEqual([
      ...['start', 'text-delta', 'tool-start', 'tool-input-delta', 'tool-end', 'citation', 'usage', 'finish'],
    ] as StreamPart['type'][])
  })

  test.each([
    [{ type: 'response.failed', response: { status: 'failed', error: { message: 'no', code: 503 } } }, 503],
    [{ type: 'response.cancelled', response: { status: 'cancelled', error: { message: 'no' } } }, 502],
    [{ type: 'error', error: { message: 'no', code: 429 } }, 429],
    [{ error: { message: 'no', code: 400 } }, 400],
  ])('%j is no answer', (event, status) => {
    const parts = read(created, delta('Hi'), event, completed)
    expect(parts.at(-1)).toMatchObject({ type: 'problem', problem: { status, message: 'no' } })
  })
})
