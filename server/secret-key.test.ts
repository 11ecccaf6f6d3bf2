import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secretKey } from './secret-key.ts'

const folder = (): string => mkdtempSync(join(tmpdir(), 'tollgate-secret-'))

test('a secret is made once, kept with mode 600, and read again', () => {
  const dataDir = join(folder(), 'deep', 'data')
  const made = secretKey(undefined, dataDir).secret
  expect(made.length).toBeGreaterThanOrEqual(48)
  expect(secretKey(undefined, dataDir).secret).toBe(made)
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(dataDir)).toEqual(['secret.key'])
})

test('the environment goes before the file', () => {
  expect(secretKey('from-the-environment', folder()).secret).toBe('from-the-environment')
})

test('a kept secret that is too weak is refused', () => {
  const dataDir = folder()
  writeFileSync(join(dataDir, 'secret.key'), 'weak\n')
  expect(() => secretKey(undefined, dataDir)).toThrow('SECRET_KEY must be at least 32')
})

test('only whoever made a secret takes it away again, and no other that has taken its place', () => {
  const dataDir = folder()
  const made = secretKey(undefined, dataDir)
  secretKey(undefined, dataDir).dropIfNew()
  expect(readdirSync(dataDir)).toEqual(['secret.key'])
  made.dropIfNew()
  expect(readdirSync(dataDir)).toEqual([])

  const again = secretKey(undefined, dataDir)
  const restored = made.secret.split('').reverse().join('')
  writeFileSync(join(dataDir, 'secret.key'), `${restored}\n`)
  again.dropIfNew()
  expect(secretKey(undefined, dataDir).secret).toBe(restored)
})
