import { expect, test } from 'bun:test'
import { channelTypes } from '../../../../contract/channel-types.ts'
import { settings } from '../../../../contract/settings/index.ts'
import { spendPeriods } from '../../../../contract/spend-limits.ts'
import { changesOf } from './changes.ts'
import { nameField } from './field-names.ts'
import { valuesOfAction, valuesOfSetting } from './field-values.ts'

test('of a table of prices only the entries that differ are told', () => {
  const before = { value: '{"a":1,"b":2,"gone":3}' }
  const after = { value: '{"a":1,"b":2.5,"new":4}' }
  expect(changesOf(before, after)).toEqual([
    { field: 'b', before: '2', after: '2.5' },
    { field: 'gone', before: '3', after: undefined },
    { field: 'new', before: undefined, after: '4' },
  ])
})

test('other values are told whole, and what stayed is not', () => {
  expect(changesOf({ status: 1, name: 'x' }, { status: 2, name: 'x' })).toEqual([
    { field: 'status', before: '1', after: '2' },
  ])
  expect(changesOf({ value: '2' }, { value: '3' })).toEqual([{ field: '', before: '2', after: '3' }])
  expect(changesOf(null, { ids: [1, 2] })).toEqual([{ field: 'ids', before: undefined, after: '1, 2' }])
  expect(changesOf(null, null)).toEqual([])
})

test('of what may be spent, the whiles that differ are told, in words', () => {
  const before = { limits: [limit('day', 500), limit('week', 900)] }
  const after = { limits: [limit('day', 700), limit('week', 900), limit('none', 4000)] }
  expect(changesOf(before, after)).toEqual([
    { field: 'limits.day', before: '500', after: '700' },
    { field: 'limits.none', before: undefined, after: '4000' },
  ])
  expect(changesOf({ limits: [] }, { limits: [] })).toEqual([])
  expect(changesOf({ limits: [limit('month', 1)] }, { limits: [] })).toEqual([
    { field: 'limits.month', before: '1', after: undefined },
  ])
  for (const period of spendPeriods) expect(nameField(`limits.${period}`, 'zh')).toContain('上限')
})

const limit = (period: string, amount: number) => ({ period, amount })

const money = { quota_per_unit: 500_000, display_in_currency: true }

test('amounts are told as everywhere, to the last unit', () => {
  const [before, after] = [
    { quota: 0, count: 3 },
    { quota: 85_775, count: 4 },
  ]
  expect(changesOf(before, after, { display: money })).toEqual([
    { field: 'quota', before: '$0.00', after: '$0.17155' },
    { field: 'count', before: '3', after: '4' },
  ])
  const limits = [{ limits: [limit('day', 1_000_000)] }, { limits: [limit('day', 1_000_001)] }] as const
  expect(changesOf(...limits, { display: money })).toEqual([
    { field: 'limits.day', before: '$2.00', after: '$2.000002' },
  ])
  expect(changesOf({ quota: -500_000 }, null, { display: money })[0]?.before).toBe('-$1.00')
  const fine = { ...money, quota_per_unit: 10_000_000 }
  expect(changesOf({ quota: 1 }, { quota: 2 }, { display: fine })[0]?.after).toBe('$0.0000002')
  const units = { ...money, display_in_currency: false }
  expect(changesOf(before, after, { display: units })[0]?.after).toBe('85,775')
})

test('when something ends is told as people tell the time', () => {
  const at = new Date(2030, 0, 2, 3, 4, 5).getTime() / 1000
  expect(changesOf({ expired_time: 0 }, { expired_time: at })).toEqual([
    { field: 'expired_time', before: '–', after: '2030-01-02 03:04:05' },
  ])
})

test('a table that was cut off is told as the text it is', () => {
  const cut = '{"a":1,"b"… (30000)'
  expect(changesOf({ value: cut }, { value: '{}' })).toEqual([{ field: '', before: cut, after: '{}' }])
})

test('of a secret it is told that it was changed', () => {
  const secret = { key_hash: '******', name: 'x' }
  expect(changesOf(secret, secret)).toEqual([{ field: 'key_hash', before: '******', after: '******' }])
})

/** What a record of an action reads like, in both languages. */
function told(action: string, before: Record<string, unknown> | null, after: Record<string, unknown> | null) {
  return (['zh', 'en'] as const).map(language =>
    changesOf(before, after, { display: money, nameValue: valuesOfAction(action, language) })
      .map(change => [change.before, change.after].filter(side => side !== undefined).join(' → '))
      .join('; '),
  )
}

test('numbers and words that stand for something are told as the forms call it, by what they are of', () => {
  expect(told('channel.update', { status: 3, auto_ban: 1 }, { status: 1, auto_ban: 0 })).toEqual([
    '自动禁用 → 已启用; 开启 → 关闭',
    'Auto-off → Enabled; On → Off',
  ])
  const fallen = { other_info: '{"status_reason":"status 401, no such key"}' }
  expect(told('channel.update', fallen, { other_info: '' })).toEqual([
    '上游返回 401：no such key',
    'The upstream answered 401: no such key',
  ])
  expect(told('channel.create', null, { type: 14, count: 14 })).toEqual([
    `${nameOfType(14).zh}; 14`,
    `${nameOfType(14).en}; 14`,
  ])
  expect(told('user.disable', { status: 1, role: 10 }, { status: 2 })).toEqual([
    '已激活 → 已封禁; 管理员',
    'Active → Banned; Admin',
  ])
  expect(told('redemption.update', { status: 1, expired_time: 0 }, { status: 2, expired_time: 0 })).toEqual([
    '未使用 → 已禁用',
    'Unused → Disabled',
  ])
  const plan = { duration_unit: 'month', period: 'week', on_sale: true, price: 1_000_000 }
  expect(told('plan.create', null, plan)).toEqual([
    '个月; 每周; 在售; $2.00',
    'Months; Every week; On sale; $2.00',
  ])
  expect(told('plan.update', { on_sale: 1 }, { on_sale: 0 })).toEqual(['在售 → 已下架', 'On sale → Off sale'])
  expect(told('team.remove-member', { role: 'owner' }, { tokens: 'keep' })).toEqual([
    '所有者; 保留',
    'Owner; Keep',
  ])
  expect(told('channel.tag', null, { tag: null, ids: [3, 4] })).toEqual(['; 3, 4', '; 3, 4'])
})

test('what is not known, as an older or newer program may have noted it, stays as it is', () => {
  expect(told('channel.update', { status: 9, type: 9999 }, { status: 1, type: 1 })[1]).toBe(
    `9 → Enabled; 9999 → ${nameOfType(1).en}`,
  )
  expect(told('user.edit', { role: 'constructor' }, { role: 1 })[1]).toBe('constructor → User')
})

test('tables of a channel or MCP server are told by their entries too when they are new', () => {
  expect(changesOf({ model_mapping: '' }, { model_mapping: '{"a":"b"}' })).toEqual([
    { field: 'model_mapping.a', before: undefined, after: 'b' },
  ])
  expect(changesOf(null, { tool_prices: '{"search":500000}' }, { display: money })).toEqual([
    { field: 'tool_prices.search', before: undefined, after: '$1.00' },
  ])
  expect(nameField('tool_prices.search', 'zh')).toBe('单个工具的价格 · search')
})

test('what a record says of its subject besides the change comes last, and not as if it were gone', () => {
  const before = { name: 'gift', status: 1, quota: 500_000 }
  expect(changesOf(before, { status: 2 }, { display: money, namesSubject: true })).toEqual([
    { field: 'status', before: '1', after: '2' },
    { field: 'name', before: 'gift', after: 'gift' },
    { field: 'quota', before: '$1.00', after: '$1.00' },
  ])
  // What was ended is gone.
  expect(changesOf({ title: 'P' }, { taken: 5 })[0]).toEqual({
    field: 'title',
    before: 'P',
    after: undefined,
  })
})

test('a setting is told as its form shows it; its table has names and figures of the operator’s own', () => {
  const name = (key: keyof typeof settings) => valuesOfSetting(settings[key], 'zh', money)
  const one = (key: keyof typeof settings, value: string) =>
    changesOf({ value: '' }, { value }, { display: money, nameValue: name(key) })[0]?.after
  expect(one('DrawingEnabled', 'false')).toBe('关闭')
  expect(one('ChannelChoice', 'least_busy')).toBe('进行中请求最少')
  expect(one('QuotaForNewUser', '1000000')).toBe('$2.00')
  expect(one('RetryTimes', '3')).toBe('3')
  const price = changesOf(
    { value: '{}' },
    { value: '{"price":2,"quota":1}' },
    { nameValue: name('ModelPrice') },
  )
  expect(price.map(({ after }) => after)).toEqual(['2', '1'])
  expect(nameField('price', 'zh', 'option:ModelPrice')).toBe('price')
  expect(nameField('price', 'zh', 'plan:3')).toBe('价格')
})

function nameOfType(id: number) {
  const type = channelTypes.find(one => one.id === id)
  if (!type) throw new Error(`no type ${id}`)
  return type.name
}
