import { expect, test } from 'bun:test'
import { meansModel, readModelText, wholeModel } from './model-text.ts'

test('a name in quotation marks is the whole name, anything else a part of one', () => {
  expect(readModelText(wholeModel('gpt-4o'))).toEqual({ name: 'gpt-4o', by: 'whole' })
  for (const text of ['gpt-4o', '"', '""', '"gpt', 'gpt"']) expect(readModelText(text).by).toBe('part')
  expect(['gpt-4o', 'gpt-4o-mini'].map(model => meansModel('GPT-4o', model))).toEqual([true, true])
  expect(['gpt-4o', 'gpt-4o-mini', 'GPT-4o'].map(model => meansModel('"gpt-4o"', model))).toEqual([
    true,
    false,
    false,
  ])
})

test.each([
  ['gpt%', ['gpt-4o', 'GPT-4O-mini']],
  ['%4o', ['gpt-4o', 'my-gpt-4o']],
  ['%4o%', ['gpt-4o', 'GPT-4O-mini', 'my-gpt-4o']],
  ['g%o', []],
  ['%%4o', []],
  ['%', []],
  ['%%', []],
  ['gpt_4o%', []],
])('%j means %j', (text, meant) => {
  expect(['gpt-4o', 'GPT-4O-mini', 'my-gpt-4o'].filter(model => meansModel(text, model))).toEqual(meant)
})
