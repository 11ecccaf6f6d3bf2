import { expect, test } from 'bun:test'
import { draftOfTag, editOfTag, faultsOfTag } from './tag-draft.ts'

test('an edit of a tag holds only what overwrites, and a blank name disbands', () => {
  const draft = draftOfTag('x')
  expect(editOfTag('x', draft)).toBeUndefined()
  expect(editOfTag('x', { ...draft, name: ' ' })).toEqual({ tag: 'x', new_tag: '' })
  expect(editOfTag('x', { ...draft, models: ['a', 'b'], priority: '-1', weight: '0' })).toEqual({
    ...{ tag: 'x', models: 'a,b', priority: -1, weight: 0 },
  })
  expect(faultsOfTag(draft)).toEqual({})
  expect(faultsOfTag({ ...draft, model_mapping: '[', priority: '1.5', weight: '-1' })).toEqual({
    ...{ model_mapping: 'mappingWrong', priority: 'priorityWrong', weight: 'weightWrong' },
  })
})
