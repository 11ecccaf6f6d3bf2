import { describe, expect, test } from 'bun:test'
import { needsAddress } from '../../../../contract/channel-address.ts'
import { channelTypes } from '../../../../contract/channel-types.ts'
import type { ChannelView } from '../../../../contract/channel-view.ts'
import { providers } from '../../../../server/providers/index.ts'
import { taskProviders } from '../../../../server/tasks/index.ts'
import { type ChannelDraft, draftOf, faultsOf, fieldsOf, newChannel } from './channel-draft.ts'
import { withMember } from './setting-text.ts'

const good: ChannelDraft = { ...newChannel, name: 'a', key: 'sk-1', models: ['m'] }
const words = (draft: Partial<ChannelDraft>, isNew = true, isRoot = true) => {
  const faults = faultsOf({ ...good, ...draft }, { before: isNew ? undefined : stored, isRoot })
  return Object.fromEntries(Object.entries(faults).map(([field, { word }]) => [field, word]))
}

const stored: ChannelView = {
  ...{ id: 4, type: 1, key: '', openai_organization: null, test_model: null, status: 1, name: 'a' },
  ...{ weight: 2, created_time: 0, test_time: 0, response_time: 0, base_url: 'https://a.example', other: '' },
  ...{ balance: 0, balance_updated_time: 0, models: 'm, n', group: 'default,vip', used_quota: 0 },
  ...{ model_mapping: '', status_code_mapping: '', priority: -3, auto_ban: 0, other_info: '', tag: null },
  ...{ setting: '', rpm: 0, tpm: 0, concurrency: 0 },
}

describe('a channel being written', () => {
  test('what is missing or wrong is named at its field', () => {
    expect(words({})).toEqual({})
    expect(words({ name: ' ', key: '', models: [], groups: [] })).toEqual({
      ...{ name: 'incomplete', key: 'incomplete', models: 'noModels', groups: 'noGroups' },
    })
    expect(
      words({ model_mapping: '{', status_code_mapping: '[]', setting: 'x', priority: '1.5', weight: '-1' }),
    ).toEqual({
      ...{ model_mapping: 'mappingWrong', status_code_mapping: 'statusCodesWrong', setting: 'settingWrong' },
      ...{ priority: 'priorityWrong', weight: 'weightWrong' },
    })
    expect(words({ base_url: 'ftp://x', rpm: 'x' })).toEqual({ base_url: 'addressWrong', rpm: 'limitWrong' })
    expect(words({ type: 26, base_url: 'glm-coding-plan' })).toEqual({})
    expect(words({ type: 60 })).toEqual({ base_url: 'addressMissing' })
    expect(words({ type: 1001, setting: '{"pass":{"methods":["TRACE"]}}' })).toEqual({
      ...{ base_url: 'addressMissing', setting: 'passWrong' },
    })
    expect(words({ type: 8 })).toEqual({ base_url: 'addressMissing' })
  })
  test('an address is asked for wherever a channel would have none without it', () => {
    const hasOwn = new Map(providers.map(({ type, baseUrl }) => [type, baseUrl !== '']))
    for (const { accounts } of taskProviders)
      for (const { channelTypes: types, baseUrl } of accounts)
        for (const type of types) hasOwn.set(type, hasOwn.get(type) || baseUrl !== '')
    // Their hosts are made of a region.
    for (const type of [33, 41]) hasOwn.set(type, true)
    const asked = Object.fromEntries(channelTypes.map(({ id }) => [id, needsAddress(id)]))
    expect(asked).toEqual(Object.fromEntries(channelTypes.map(({ id }) => [id, !hasOwn.get(id)])))
  })
  test('keys have the form of their type, each on its line when there are many', () => {
    expect(words({ type: 33, key: 'a|b|c' })).toEqual({})
    expect(words({ type: 33, key: 'a' })).toEqual({ key: 'keyFormat' })
    expect(words({ key: 'a\nb' })).toEqual({ key: 'keyLines' })
    expect(words({ key: 'a\nb', isBatch: true })).toEqual({})
    expect(words({ type: 41, other: 'us-central1', key: '{"a":\n1}' })).toEqual({ key: 'keyFormat' })
    expect(words({ type: 41, other: '', key: 'AIza' })).toEqual({ other: 'regionBlank' })
  })
  test('a stored key is entered again before it goes to another address, unless by root', () => {
    const moved = { key: '', base_url: 'https://b.example' }
    expect(words(moved, false, false)).toEqual({ key: 'keyAgain' })
    expect(words(moved, false, true)).toEqual({})
    expect(words({ ...moved, key: 'sk-2' }, false, false)).toEqual({})
    expect(words({ key: '', base_url: 'https://a.example/' }, false, false)).toEqual({})
    expect(words({ key: '', base_url: '', setting: '{"proxy":"http://p"}' }, false, false)).toEqual({
      key: 'keyAgain',
    })
  })
  test('only what was changed travels', () => {
    const draft = { ...draftOf(stored), weight: '7', setting: '' }
    expect(draft).toMatchObject({
      groups: ['default', 'vip'],
      models: ['m', 'n'],
      priority: '-3',
      auto_ban: false,
    })
    expect(fieldsOf(draft, field => field === 'weight')).toEqual({ weight: 7 })
    expect(fieldsOf(draft, field => field === 'setting')).toEqual({ setting: '{}' })
    expect(fieldsOf({ ...draft, other: ' ' }, field => field === 'other')).toEqual({ clear: ['other'] })
    expect(fieldsOf({ ...draft, other: 'v4 ' }, field => field === 'other')).toEqual({ other: 'v4' })
    expect(
      fieldsOf({ ...draft, base_url: 'https://a.example//', key: ' k ' }, f => f === 'base_url'),
    ).toEqual({
      base_url: 'https://a.example',
      key: 'k',
    })
  })
})

test('members of the extra settings come and go, and broken text is left alone', () => {
  const on = withMember('', 'force_format', true)
  expect(JSON.parse(on)).toEqual({ force_format: true })
  expect(withMember(on, 'force_format', false)).toBe('')
  expect(JSON.parse(withMember(on, 'proxy', 'http://p'))).toEqual({ force_format: true, proxy: 'http://p' })
  expect(withMember('{', 'proxy', 'x')).toBe('{')
})
