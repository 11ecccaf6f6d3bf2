import { expect, test } from 'bun:test'
import { roles } from '../../../contract/users.ts'
import { allowedTab, isTabId, roleOf } from './tabs.ts'

test('a super administrator gets the tab asked for, or the first', () => {
  expect(allowedTab(roles.root, 'other')?.id).toBe('other')
  expect(allowedTab(roles.root, undefined)?.id).toBe('personal')
})

test('nobody else gets the settings of the system', () => {
  expect(allowedTab(roles.admin, 'system')?.id).toBe('personal')
  expect(allowedTab(roles.user, undefined)?.id).toBe('personal')
  expect(allowedTab(0, undefined)).toBeUndefined()
  expect(roleOf('system')).toBe(roles.root)
  expect(roleOf('personal')).toBe(roles.user)
  expect(roleOf(undefined)).toBe(roles.user)
})

test('an address cannot name a tab that does not exist', () => {
  expect(isTabId('system')).toBe(true)
  expect(isTabId('constructor')).toBe(false)
  expect(isTabId(undefined)).toBe(false)
})
