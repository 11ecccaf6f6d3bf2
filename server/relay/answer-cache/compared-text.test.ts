import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../dialects/json.ts'
import type { DialectName } from '../../dialects/spec.ts'
import { readJson } from '../request/read-body.ts'
import { readCompared } from './compared-text.ts'

const read = (json: JsonObject, dialect: DialectName = 'openai-chat') =>
  readCompared(readJson(JSON.stringify(json)), dialect)
const ask = (content: unknown, more: object = {}) =>
  ({ model: 'm', messages: [{ role: 'user', content }], ...more }) as JsonObject

const question = 'how do I return an order?'
const other = 'sending back what I bought'

describe.each<[DialectName, (text: string) => JsonObject]>([
  ['openai-chat', text => ask(text)],
  ['openai-chat', text => ask([{ type: 'text', text }])],
  ['anthropic', text => ask([{ type: 'text', text, cache_control: { type: 'ephemeral' } }])],
  ['openai-responses', text => ({ model: 'm', input: text })],
  ['openai-responses', text => ({ model: 'm', input: [{ role: 'user', content: text }] })],
  [
    'openai-responses',
    text => ({
      model: 'm',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }],
    }),
  ],
  ['gemini', text => ({ contents: [{ parts: [{ text }] }] })],
  ['gemini', text => ({ contents: [{ role: 'user', parts: [{ text: 'first' }, { text }] }] })],
])('%s', (dialect, body) => {
  test('the last text is apart, and the rest is the same for another text', () => {
    const [one, two] = [read(body(question), dialect), read(body(other), dialect)]
    expect([one?.text, two?.text]).toEqual([question, other])
    expect(one?.rest).toBe(two?.rest ?? '')
    expect(one?.rest).not.toContain('return')
  })

  test('figures in it are of the rest', () => {
    const [one, two] = ['what do 10 of them cost?', 'what do 100 of them cost?'].map(text =>
      read(body(text), dialect),
    )
    expect(one?.rest).not.toBe(two?.rest ?? '')
  })
})

test.each([
  ['another model', ask(question, { model: 'n' })],
  ['a parameter', ask(question, { temperature: 0 })],
  ['whether it streams', ask(question, { stream: true })],
  ['the format', ask(question, { response_format: { type: 'json_object' } })],
  ['who it is for', ask(question, { user: 'u1' })],
  ['the seed', ask(question, { seed: 1 })],
  ['the form of the text', ask([{ type: 'text', text: question }])],
  [
    'a text before it',
    ask([
      { type: 'text', text: 'of today' },
      { type: 'text', text: question },
    ]),
  ],
])('%s is of the rest', (_, body) => {
  const rest = read(body)?.rest
  expect(rest).toBeString()
  expect(rest).not.toBe(read(ask(question))?.rest ?? '')
})

test('so are the turns before it, and numbers that JavaScript would round', () => {
  const after = (said: string) =>
    read({
      model: 'm',
      messages: [
        { role: 'user', content: said },
        { role: 'assistant', content: 'yes' },
        { role: 'user', content: question },
      ],
    })?.rest
  expect(after('a')).toBe(after('a') ?? '')
  expect(after('a')).not.toBe(after('b') ?? '')
  const seeded = (seed: string) =>
    readCompared(
      readJson(JSON.stringify(ask(question)).replace('"model"', `"seed":${seed},"model"`)),
      'openai-chat',
    )?.rest
  expect(seeded('9007199254740993')).not.toBe(seeded('9007199254740992') ?? '')
})

const chats: Readonly<Record<string, JsonObject>> = {
  'what is very short': ask('go on'),
  'what is very long': ask('word '.repeat(500)),
  'a picture': ask([
    { type: 'image_url', image_url: { url: 'x' } },
    { type: 'text', text: question },
  ]),
  'a text after which something comes': ask([{ type: 'text', text: question }, { type: 'file' }]),
  'tools on offer': ask(question, { tools: [{ type: 'function', function: { name: 'f' } }] }),
  'functions on offer': ask(question, { functions: [{ name: 'f' }] }),
  'a search on offer': ask(question, { web_search_options: {} }),
  'what a tool has said': { messages: [{ role: 'tool', tool_call_id: 'a', content: question }] },
  'what an assistant began': { messages: [{ role: 'assistant', content: question }] },
  nothing: {},
  'no turns': { messages: [] },
  'odd turns': { messages: [null, 3] },
  'odd parts': ask([null]),
}
const items: Readonly<Record<string, JsonObject[]>> = {
  'another item': [{ type: 'function_call_output', output: question }],
  'tools that a turn tells of': [
    { type: 'additional_tools', tools: [{}] },
    { role: 'user', content: question },
  ],
}
const contents: Readonly<Record<string, JsonObject>> = {
  'a picture of Google’s': { parts: [{ inlineData: {}, text: question }] },
  'what comes from a tool of Google’s': { role: 'function', parts: [{ text: question }] },
}

test.each([
  ...Object.entries(chats).map(([what, body]) => ({ what, body, dialect: 'openai-chat' as const })),
  ...Object.entries(items).map(([what, input]) => ({
    what,
    body: { input },
    dialect: 'openai-responses' as const,
  })),
  ...Object.entries(contents).map(([what, one]) => ({
    what,
    body: { contents: [one] },
    dialect: 'gemini' as const,
  })),
  {
    what: 'a tool’s result',
    body: ask([{ type: 'tool_result', tool_use_id: 'a', content: question }]),
    dialect: 'anthropic' as const,
  },
])('$what is not compared', ({ body, dialect }) => {
  expect(read(body, dialect)).toBeUndefined()
})
