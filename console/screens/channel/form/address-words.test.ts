import { expect, test } from 'bun:test'
import { hidesPassword } from './address-words.ts'

test.each([
  ['https://operator:***@gateway.example.com/v1', true],
  ['http://***@proxy.example.com:3128', true],
  ['https://operator:secret@gateway.example.com', false],
  ['https://gateway.example.com/***@', false],
  ['', false],
])('%s hides a password: %p', (address, isHidden) => {
  expect(hidesPassword(address)).toBe(isHidden)
})
