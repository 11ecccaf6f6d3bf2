import { expect, test } from 'bun:test'
import { usesDefaultPassword } from './default-password.ts'

test('only root with 123456 is warned', () => {
  expect(usesDefaultPassword('root', '123456')).toBe(true)
  expect(usesDefaultPassword('root', '1234567')).toBe(false)
  expect(usesDefaultPassword('someone', '123456')).toBe(false)
})
