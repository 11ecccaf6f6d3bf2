import { expect, test } from 'bun:test'
import { isPasskeyPlace, wasCancelled } from './passkeys.ts'

test('passkeys are offered at the public address alone, over https or on this machine', () => {
  const at = (address: string) => new URL(address)
  expect(isPasskeyPlace('https://gate.example.com', at('https://gate.example.com/login'))).toBe(true)
  expect(isPasskeyPlace('https://gate.example.com:8443/x', at('https://gate.example.com:8443'))).toBe(true)
  expect(isPasskeyPlace('http://localhost:3000', at('http://localhost:3000'))).toBe(true)
  expect(isPasskeyPlace('https://gate.example.com', at('http://gate.example.com'))).toBe(false)
  expect(isPasskeyPlace('https://gate.example.com', at('https://10.0.0.1'))).toBe(false)
  expect(isPasskeyPlace('', at('https://gate.example.com'))).toBe(false)
  expect(isPasskeyPlace('nonsense', at('https://gate.example.com'))).toBe(false)
})

test('a closed dialog is told from a failure', () => {
  expect(wasCancelled(new DOMException('closed', 'NotAllowedError'))).toBe(true)
  expect(wasCancelled(new DOMException('stopped', 'AbortError'))).toBe(true)
  expect(wasCancelled(new DOMException('known', 'InvalidStateError'))).toBe(false)
  expect(wasCancelled(new Error('NotAllowedError'))).toBe(false)
})
