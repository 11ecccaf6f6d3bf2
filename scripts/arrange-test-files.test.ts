import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  arrangeTestFiles,
  longestFiles,
  longestFirst,
  needsQuiet,
  waitingFiles,
} from './arrange-test-files.ts'

test('browsers and other programs start by turns, small files last, and none is lost', () => {
  const files = [
    'server/ledger/pay.test.ts',
    'server/log.test.ts',
    'test/api/logs/audit.test.ts',
    'test/browser/auth.test.ts',
    'test/browser/user.test.ts',
    'test/relay/callers/doors.test.ts',
    'test/sdk/lists.test.ts',
    'test/starts.test.ts',
  ]
  expect(arrangeTestFiles(files)).toEqual([
    'server/ledger/pay.test.ts',
    'test/browser/auth.test.ts',
    'test/api/logs/audit.test.ts',
    'test/relay/callers/doors.test.ts',
    'test/sdk/lists.test.ts',
    'test/browser/user.test.ts',
    'test/starts.test.ts',
    'server/log.test.ts',
  ])
  expect(arrangeTestFiles([])).toEqual([])
})

test('what takes longest begins first', () => {
  const [kill = ''] = longestFiles
  const files = ['test/faults/edits.test.ts', kill, 'test/faults/redeem.test.ts']
  expect(longestFirst(files)).toEqual([kill, 'test/faults/edits.test.ts', 'test/faults/redeem.test.ts'])
})

test('of what breaks programs, the files that only wait need no quiet', () => {
  expect(needsQuiet('test/faults/kill.test.ts')).toBe(true)
  expect(needsQuiet('test/sim/sim.test.ts')).toBe(true)
  expect(needsQuiet('test/faults/zombie.test.ts')).toBe(false)
  expect(needsQuiet('test/relay/callers/doors.test.ts')).toBe(false)
})

test('every file that is said to wait or to take long is there', () => {
  const root = join(import.meta.dir, '..')
  expect([...waitingFiles, ...longestFiles].filter(file => !existsSync(join(root, file)))).toEqual([])
})
