import { expect, test } from 'bun:test'
import type { Json } from './json.ts'
import { filesNamedIn } from './openai-files.ts'

const input = (...content: Json[]): Json => ({ input: [{ role: 'user', content }] })

test.each<[string, Json, string[], string[]]>([
  ['a file', input({ type: 'input_file', file_id: 'f' }), ['f'], []],
  ['a picture', input({ type: 'input_image', file_id: 'f' }), ['f'], []],
  [
    'in chat',
    { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }] },
    ['f'],
    [],
  ],
  [
    'what a tool gave',
    { input: [{ type: 'function_call_output', output: [{ type: 'input_image', file_id: 'f' }] }] },
    ['f'],
    [],
  ],
  [
    'where code runs',
    { tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['a', 'b'] } }] },
    ['a', 'b'],
    [],
  ],
  ['one where several may be', { container: { file_ids: 'a' } }, ['a'], []],
  ['a mask', { tools: [{ type: 'image_generation', input_image_mask: { file_id: 'f' } }] }, ['f'], []],
  [
    'variables, whatever they are called',
    {
      prompt: {
        variables: {
          ...{ file_id: 'a word', metadata: { type: 'input_file', file_id: 'a' } },
          annotations: { type: 'input_file', file_id: 'b' },
        },
      },
    },
    ['a', 'b'],
    [],
  ],
  [
    'what was cited',
    {
      input: [{ content: [{ type: 'output_text', annotations: [{ type: 'file_citation', file_id: 'f' }] }] }],
    },
    [],
    ['f'],
  ],
  ['what was found', { input: [{ type: 'file_search_call', results: [{ file_id: 'f' }] }] }, [], ['f']],
  [
    'what is read and was cited',
    [{ annotations: [{ file_id: 'f' }] }, { type: 'input_file', file_id: 'f' }],
    ['f'],
    [],
  ],
  ['what a function takes', { tools: [{ parameters: { default: { file_id: 'f' } } }] }, [], []],
  ['notes', { metadata: { file_id: 'f' } }, [], []],
  ['nothing', { file_id: '', file_ids: [null, 7] }, [], []],
])('%s', (_, body, wanted, met) => {
  const found = filesNamedIn(body)
  expect([...found.wanted].sort()).toEqual(wanted)
  expect([...found.met].sort()).toEqual(met)
})

test('any number may be told of, and a request is about so many', () => {
  const ids = Array.from({ length: 600 }, (_, at) => ({ file_id: `f${at}` }))
  expect(filesNamedIn({ results: ids }).met.size).toBe(500)
  expect(() => filesNamedIn({ input: ids })).toThrow()
})
