import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  arrangeTestFiles,
  isBrief,
  kindOf,
  longestFiles,
  longestFirst,
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

test('what takes longest begins first, and none is lost', () => {
  const [first = '', second = ''] = longestFiles
  const files = ['test/faults/edits.test.ts', second, 'test/faults/redeem.test.ts', first]
  expect(longestFirst(files)).toEqual([
    first,
    second,
    'test/faults/edits.test.ts',
    'test/faults/redeem.test.ts',
  ])
})

test('of what breaks programs, those files that only wait are not heavy', () => {
  expect(kindOf('test/faults/kill.test.ts')).toBe('heavy')
  expect(kindOf('test/sim/sim.test.ts')).toBe('heavy')
  expect(kindOf('test/faults/zombie.test.ts')).toBe('waiting')
  expect(kindOf('test/relay/callers/doors.test.ts')).toBe('busy')
})

test('every file that is said to wait or to take long is there, and of a kind that begins in that order', () => {
  const root = join(import.meta.dir, '..')
  expect([...waitingFiles, ...longestFiles].filter(file => !existsSync(join(root, file)))).toEqual([])
  expect(longestFiles.filter(file => kindOf(file) === 'busy')).toEqual([])
})

test('what drives a browser or has a program under load is compiled as it is for an operator', () => {
  expect(
    ['test/browser/log.test.ts', 'test/faults/clock.test.ts', 'test/sim/sim.test.ts'].filter(isBrief),
  ).toEqual([])
  expect(
    ['server/log.test.ts', 'test/relay/callers/doors.test.ts', 'test/starts.test.ts'].every(isBrief),
  ).toBe(true)
})
