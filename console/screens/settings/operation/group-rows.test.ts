import { describe, expect, test } from 'bun:test'
import {
  dropGroup,
  listGroups,
  putGroup,
  ratioText,
  readGroupForm,
  readGroups,
  writeGroups,
} from './group-rows.ts'

const maps = {
  GroupRatio: { default: 1, vip: 0.9, secret: 2 },
  UserUsableGroups: { default: '默认分组', vip: 'VIP', orphan: 'no ratio' },
}

test('every group of either map has a row', () => {
  expect(listGroups(maps)).toEqual([
    { name: 'default', ratio: 1, description: '默认分组' },
    { name: 'vip', ratio: 0.9, description: 'VIP' },
    { name: 'secret', ratio: 2, description: undefined },
    { name: 'orphan', ratio: undefined, description: 'no ratio' },
  ])
})

test('a group is changed, renamed and dropped in both maps at once', () => {
  const renamed = putGroup(maps, { name: 'gold', ratio: 0.8, description: undefined }, 'vip')
  expect(writeGroups(renamed)).toEqual({
    GroupRatio: JSON.stringify({ default: 1, gold: 0.8, secret: 2 }, null, 2),
    UserUsableGroups: JSON.stringify({ default: '默认分组', orphan: 'no ratio' }, null, 2),
  })
  expect(listGroups(dropGroup(maps, 'vip')).map(({ name }) => name)).toEqual(['default', 'secret', 'orphan'])
})

test('what cannot be read is named', () => {
  expect(readGroups({ GroupRatio: '{"a": -1}', UserUsableGroups: '{}' })).toBe('GroupRatio')
  expect(readGroups({ GroupRatio: '{}', UserUsableGroups: '{"a": 1}' })).toBe('UserUsableGroups')
  expect(readGroups(writeGroups(maps))).toEqual(maps)
})

describe('the form', () => {
  const form = { name: 'new', ratio: '1.5', usable: true, description: ' New ' }
  test.each([
    [{}, {}],
    [{ name: '' }, { name: 'nameRequired' }],
    [{ name: 'vip' }, { name: 'nameTaken' }],
    [{ name: 'a,b' }, { name: 'nameWrong' }],
    [{ ratio: '' }, { ratio: 'number' }],
    [{ ratio: '-1' }, { ratio: 'number' }],
  ])('%j has the faults %j', (change, faults) => {
    expect(readGroupForm({ ...form, ...change }, new Set(['vip'])).faults).toEqual(faults as object)
  })

  test('keeps a description only where users may choose', () => {
    const { row } = readGroupForm({ ...form, usable: false }, new Set())
    expect(row).toEqual({ name: 'new', ratio: 1.5, description: undefined })
    expect(readGroupForm(form, new Set()).row.description).toBe('New')
  })
})

test('a ratio that was reckoned can be edited as one that was typed', () => {
  expect([1.1400000000000001, 10, 0.1, 25 / 3, undefined].map(ratioText)).toEqual([
    '1.14',
    '10',
    '0.1',
    '8.333333333',
    '',
  ])
  for (const ratio of [1.1400000000000001, 25 / 3, 1e-7])
    expect(
      readGroupForm({ name: 'a', ratio: ratioText(ratio), usable: false, description: '' }, new Set()).faults,
    ).toEqual({})
})

test('a ratio that nobody has changed is saved as it was, and never as nothing', () => {
  for (const ratio of [25 / 3, 1e-7, 2e-10, 0, 1e12])
    expect(
      readGroupForm({ name: 'a', ratio: ratioText(ratio), usable: false, description: '' }, new Set(), ratio),
    ).toMatchObject({ row: { ratio }, faults: {} })
  expect(ratioText(2e-10)).not.toBe('0')
})
