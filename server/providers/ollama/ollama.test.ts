import { describe, expect, test } from 'bun:test'
import { linesOf, readAtEveryCut } from '../../../test/providers/cut-stream.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import { ndjson } from '../kit/answers/ndjson.ts'
import { ollamaForm } from './form.ts'
import { OllamaReader } from './stream-reader.ts'

const END =
  '{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":26,"eval_count":5}'
const to = { baseUrl: '', key: '', model: 'm', stream: true, other: '', organization: undefined }
const base: NeutralRequest = { model: 'x', stream: true, system: [], messages: [], tools: [] }

describe('a stream of lines, cut anywhere', () => {
  test('text and thoughts', () => {
    const text = `{"model":"m","message":{"role":"assistant","content":"","thinking":"Hm 漢"},"done":false}
{"model":"m","message":{"role":"assistant","content":"Hi 👋"},"done":false}

${END}\n`
    expect(readAtEveryCut(ndjson, () => new OllamaReader(), linesOf(text), text.trimEnd().length)).toEqual([
      { type: 'start', id: '', model: 'm', created: 0 },
      { type: 'thinking-delta', text: 'Hm 漢' },
      { type: 'text-delta', text: 'Hi 👋' },
      { type: 'usage', usage: { input: 26, output: 5 } },
      { type: 'finish', finish: { reason: 'stop' } },
    ])
  })

  test('a call, at the end of which nothing says so but that it was there', () => {
    const call = '{"function":{"name":"f","arguments":{"a":[1]}}}'
    const text = `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[${call}]},"done":false}\n${END}`
    expect(readAtEveryCut(ndjson, () => new OllamaReader(), linesOf(text)).slice(1)).toEqual([
      { type: 'tool-start', index: 0, id: 'call', name: 'f' },
      { type: 'tool-input-delta', index: 0, json: '{"a":[1]}' },
      { type: 'tool-end', index: 0 },
      { type: 'usage', usage: { input: 26, output: 5 } },
      { type: 'finish', finish: { reason: 'tools' } },
    ])
  })

  test('an error on a line ends it', () => {
    const parts: unknown[] = []
    const reader = new OllamaReader()
    for (const line of ['{"error":"no memory"}', '{"message":{"content":"x"}}', END])
      reader.read('', line, part => parts.push(part))
    expect(parts).toEqual([{ type: 'problem', problem: { status: 502, message: 'no memory' } }])
    expect(reader.end(() => {})).toBe(false)
  })
})

test('strange lines and answers break nothing', () => {
  const reader = new OllamaReader()
  for (const line of [
    'null',
    '[]',
    '{',
    '{"message":null}',
    '{"message":{"tool_calls":[null,{"function":1}]}}',
  ])
    reader.read('', line, () => {})
  expect(reader.end(() => {})).toBe(false)
  for (const body of [{}, { message: 1, done: true }, { message: {}, done: false }])
    expect(ollamaForm.readAnswer(body)).toBeUndefined()
})

test('a request is written in the form of its vendor', () => {
  const written = ollamaForm.writeRequest(
    {
      ...base,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'Look' },
            { type: 'image', source: { data: 'AAAA', mediaType: 'image/png' } },
          ],
        },
        { role: 'assistant', parts: [{ type: 'tool-call', id: 'c', name: 'f', input: '{"a":1}' }] },
        {
          role: 'user',
          parts: [{ type: 'tool-result', callId: 'c', content: [{ type: 'text', text: 'ok' }] }],
        },
      ],
      tools: [{ type: 'function', name: 'f' }],
      temperature: 0.5,
      stop: ['END'],
      maxOutput: 9,
      reasoning: { effort: 'xhigh' },
      format: { type: 'json' },
    },
    to,
  )
  expect(written).toEqual({
    model: 'm',
    stream: true,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look', images: ['AAAA'] },
      { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }] },
      { role: 'tool', content: 'ok', tool_name: 'f' },
    ],
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
    format: 'json',
    think: true,
    options: { temperature: 0.5, stop: ['END'], num_predict: 9 },
  })
})

test.each([
  ['gpt-oss:20b', 'xhigh', 'high'],
  ['gpt-oss:20b', 'minimal', 'low'],
  ['qwen3.8:27b', 'xhigh', 'max'],
  ['me/qwen3.8', 'low', 'low'],
  ['qwen3:8b', 'low', true],
  ['deepseek-r1', 'max', true],
  ['gpt-oss:20b', 'none', false],
  ['llama3.2', 'high', undefined],
  ['me/gemma3:4b', 'high', undefined],
  ['qwen2.5-coder:7b', 'high', undefined],
  ['phi4', 'high', undefined],
  ['phi4-reasoning', 'high', true],
  ['gemma4', 'high', true],
  ['magistral', 'high', true],
] as const)('%s with effort %s is told to think %p', (model, effort, think) => {
  const written = ollamaForm.writeRequest({ ...base, reasoning: { effort } }, { ...to, model })
  expect<unknown>(written.think).toBe(think)
})
