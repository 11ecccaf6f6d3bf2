import { expect, test } from 'bun:test'
import { readInviteCode } from './invite-code.ts'

test('an invite code is kept as it is, anything else is not kept', () => {
  for (const code of ['A1b2', '1e10', '0007', 'x'.repeat(32)]) expect(readInviteCode(code)).toBe(code)
  for (const text of ['', null, undefined, '<b>', 'a b', 'x'.repeat(33)])
    expect(readInviteCode(text)).toBeUndefined()
})
