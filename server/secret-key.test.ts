import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secretKey } from './secret-key.ts'

const folder = (): string => mkdtempSync(join(tmpdir(), 'tollgate-secret-'))

test('a secret is made once, kept with mode 600, and read again', () => {
  const dataDir = join(folder(), 'deep', 'data')
  const made = secretKey(undefined, dataDir)
  expect(made.length).toBeGreaterThanOrEqual(48)
  expect(secretKey(undefined, dataDir)).toBe(made)
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(dataDir)).toEqual(['secret.key'])
})

test('the environment goes before the file', () => {
  expect(secretKey('from-the-environment', folder())).toBe('from-the-environment')
})

test('a kept secret that is too weak is refused', () => {
  const dataDir = folder()
  writeFileSync(join(dataDir, 'secret.key'), 'weak\n')
  expect(() => secretKey(undefined, dataDir)).toThrow('SECRET_KEY must be at least 32')
})
