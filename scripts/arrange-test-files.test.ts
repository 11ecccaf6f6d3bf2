import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { arrangeTestFiles, waitingFiles } from './arrange-test-files.ts'

test('browsers and other programs start by turns, small files last, and none is lost', () => {
  const files = [
    'server/log.test.ts',
    'test/api/audit.test.ts',
    'test/browser/auth.test.ts',
    'test/browser/user.test.ts',
    'test/relay/doors.test.ts',
    'test/sdk/lists.test.ts',
    'test/starts.test.ts',
  ]
  expect(arrangeTestFiles(files)).toEqual([
    'test/api/audit.test.ts',
    'test/browser/auth.test.ts',
    'test/relay/doors.test.ts',
    'test/sdk/lists.test.ts',
    'test/browser/user.test.ts',
    'test/starts.test.ts',
    'server/log.test.ts',
  ])
  expect(arrangeTestFiles([])).toEqual([])
})

test('every file that is said to wait is there', () => {
  const root = join(import.meta.dir, '..')
  expect([...waitingFiles].filter(file => !existsSync(join(root, file)))).toEqual([])
})
