import { describe, expect, test } from 'bun:test'
import { batchNames, faultsOf, fieldsOf, newToken } from './token-draft.ts'

describe('a token being made', () => {
  test('names after the first get a dash and six letters or digits', () => {
    const names = batchNames('ci', 3)
    expect(names[0]).toBe('ci')
    for (const name of names.slice(1)) expect(name).toMatch(/^ci-[A-Za-z0-9]{6}$/)
    expect(new Set(names).size).toBe(3)
  })
  test('what is missing or no number is named', () => {
    expect(faultsOf(newToken, true)).toEqual({ name: 'nameMissing' })
    expect(faultsOf({ ...newToken, name: 'a', quota: '1.5', count: '0', rpm: '-1' }, true)).toEqual({
      quota: 'quotaWrong',
      count: 'countWrong',
      rpm: 'limitWrong',
    })
    expect(faultsOf({ ...newToken, quota: 'x', unlimited: true }, false)).toEqual({})
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
