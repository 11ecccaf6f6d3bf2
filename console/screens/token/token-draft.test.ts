import { describe, expect, test } from 'bun:test'
import type { TokenView } from '../../../contract/tokens.ts'
import { batchNames, changesOf, draftOf, faultsOf, fieldsOf, newToken } from './token-draft.ts'

describe('a token being made', () => {
  test('names after the first get a dash and six letters or digits', () => {
    const names = batchNames('ci', 3)
    expect(names[0]).toBe('ci')
    for (const name of names.slice(1)) expect(name).toMatch(/^ci-[A-Za-z0-9]{6}$/)
    expect(new Set(names).size).toBe(3)
  })
  test('what is missing or no number is named', () => {
    expect(faultsOf(newToken, undefined)).toEqual({ name: 'nameMissing' })
    expect(faultsOf({ ...newToken, name: 'a', quota: '1.5', count: '0', rpm: '-1' }, undefined)).toEqual({
      quota: 'quotaWrong',
      count: 'countWrong',
      rpm: 'limitWrong',
    })
    expect(faultsOf({ ...newToken, quota: 'x', unlimited: true }, newToken)).toEqual({})
    for (const refillQuota of ['0', '', '-5', '1.5', 'x'])
      expect(faultsOf({ ...newToken, refill: 'day', refillQuota }, newToken)).toEqual({
        refillQuota: 'refillWrong',
      })
    expect(faultsOf({ ...newToken, refill: 'day', refillQuota: '5' }, newToken)).toEqual({})
  })
  test('a name is as long as the server takes it, with what is put behind it when several are made', () => {
    const long = { name: 'nameLong' } as const
    const faults = (name: string, count = '1') => faultsOf({ ...newToken, name, count }, undefined)
    expect(faults('x'.repeat(30))).toEqual({})
    expect(faults('x'.repeat(31))).toEqual(long)
    expect(faults('令'.repeat(10))).toEqual({})
    expect(faults('令'.repeat(11))).toEqual(long)
    expect(faults(` ${'x'.repeat(30)} `)).toEqual({})
    expect(faults('x'.repeat(23), '2')).toEqual({})
    expect(faults('x'.repeat(24), '2')).toEqual(long)
    for (const name of batchNames('x'.repeat(23), 2)) expect(name.length).toBeLessThanOrEqual(30)
  })
  test('one that was moved in keeps a name that is longer than that, and is given no other such', () => {
    const moved = { name: 'n'.repeat(60) }
    expect(faultsOf({ ...newToken, ...moved }, moved)).toEqual({})
    expect(faultsOf({ ...newToken, name: 'm'.repeat(31) }, moved)).toEqual({ name: 'nameLong' })
  })
  test('it travels as the family writes it', () => {
    expect(fieldsOf({ ...newToken, models: ['a', 'b'], limitModels: true })).toMatchObject({
      expired_time: -1,
      remain_quota: 500000,
      model_limits_enabled: true,
      model_limits: 'a,b',
    })
  })
})

describe('a token being changed', () => {
  const token: TokenView = {
    ...{ id: 3, user_id: 1, key: 'k', status: 1, name: 'ci', created_time: 1, accessed_time: 1 },
    ...{ expired_time: -1, remain_quota: 900, unlimited_quota: false, used_quota: 100 },
    ...{ model_limits_enabled: true, model_limits: 'a,b', allow_ips: null, group: 'gone' },
    ...{ rpm: 0, tpm: 0, concurrency: 0, DeletedAt: null },
    ...{ refill_quota: 50, refill_period: 'day', refill_at: 9, created_by: 0, creator: '', labels: ['prod'] },
  }
  test.each<[Partial<ReturnType<typeof draftOf>>, object]>([
    [{}, {}],
    [{ name: ' ci ', models: ['a', 'b'] }, {}],
    [{ name: 'cd' }, { name: 'cd' }],
    [{ labels: ['prod'] }, {}],
    [{ labels: ['prod', 'search'] }, { labels: ['prod', 'search'] }],
    [{ labels: [] }, { labels: [] }],
    [{ refill: 'week' }, { refill_period: 'week' }],
    [{ refillQuota: '60' }, { refill_quota: 60 }],
    [
      { refill: 'none', refillQuota: '0' },
      { refill_period: 'none', refill_quota: 0 },
    ],
    [
      { quota: '901', models: [] },
      { remain_quota: 901, model_limits: '' },
    ],
    [
      { group: '', expires: 7 },
      { group: '', expired_time: 7 },
    ],
    [
      { unlimited: true, limitModels: false, ips: '::1', rpm: '2' },
      { unlimited_quota: true, model_limits_enabled: false, allow_ips: '::1', rpm: 2 },
    ],
  ])('%p sends only what differs from what was read', (edits, sent) => {
    expect(changesOf({ ...draftOf(token), ...edits }, token)).toEqual(sent)
  })
})
