import { expect, test } from 'bun:test'
import type { LogView } from '../../../contract/logs.ts'
import { pickCalls } from './pick-calls.ts'

const row = (given: Partial<LogView>) => ({ token_id: 0, quota: 0, ...given }) as LogView

test('the test of a channel is no call', () => {
  const byToken = row({ token_id: 3, quota: 12 })
  const inPlayground = row({ quota: 7 })
  const forNothing = row({ token_id: 3 })
  expect(pickCalls({ items: [row({}), row({})], total: 2 })).toEqual({ calls: 0, billed: undefined })
  expect(pickCalls({ items: [row({}), byToken], total: 2 })).toEqual({ calls: 1, billed: byToken })
  expect(pickCalls({ items: [inPlayground, byToken], total: 90 })).toEqual({
    calls: 90,
    billed: inPlayground,
  })
  expect(pickCalls({ items: [forNothing], total: 1 })).toEqual({ calls: 1, billed: forNothing })
})
