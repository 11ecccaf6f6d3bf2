import { expect, test } from 'bun:test'
import { installCommand, installMissing, type Service } from './install-services.ts'

const missing: Service[] = [
  { name: 'PostgreSQL', aptPackage: 'postgresql', suites: 'some', isHere: () => false },
  { name: 'Redis', aptPackage: 'redis-server', suites: 'some', isHere: () => false },
]

test('root installs with apt-get, quietly and without starting what it installs', () => {
  const command = installCommand(missing, { isRoot: true, hasApt: true, hasSudo: false }) ?? []
  expect(command.slice(0, 2)).toEqual(['sh', '-c'])
  expect(command.slice(-2)).toEqual(['postgresql', 'redis-server'])
  expect(command[2]).toContain('--no-install-recommends')
  expect(command[2]).toContain('DEBIAN_FRONTEND=noninteractive')
  expect(command[2]).toContain('policy-rc.d')
})

test('another account goes through sudo, and only where sudo asks nothing', () => {
  const command = installCommand(missing, { isRoot: false, hasApt: true, hasSudo: true }) ?? []
  expect(command.slice(0, 3)).toEqual(['sudo', '-n', 'sh'])
  expect(installCommand(missing, { isRoot: false, hasApt: true, hasSudo: false })).toBeUndefined()
  expect(installCommand(missing, { isRoot: true, hasApt: false, hasSudo: false })).toBeUndefined()
})

test('nothing is run when nothing is missing', () => {
  expect(installMissing([{ name: 'Bun', aptPackage: 'none', isHere: () => true }])).toEqual([])
})
