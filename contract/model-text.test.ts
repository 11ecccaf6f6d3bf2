import { expect, test } from 'bun:test'
import { meansModel, readModelText, wholeModel } from './model-text.ts'

test('a name in quotation marks is the whole name, anything else a part of one', () => {
  expect(readModelText(wholeModel('gpt-4o'))).toEqual({ name: 'gpt-4o', isWhole: true })
  expect(['gpt-4o', '"', '""', '"gpt', 'gpt"'].map(readModelText).filter(({ isWhole }) => isWhole)).toEqual(
    [],
  )
  expect(['gpt-4o', 'gpt-4o-mini'].map(model => meansModel('GPT-4o', model))).toEqual([true, true])
  expect(['gpt-4o', 'gpt-4o-mini', 'GPT-4o'].map(model => meansModel('"gpt-4o"', model))).toEqual([
    true,
    false,
    false,
  ])
})
