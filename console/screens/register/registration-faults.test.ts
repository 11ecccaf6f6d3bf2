import { expect, test } from 'bun:test'
import { registrationFaults } from './registration-faults.ts'

const good = { username: 'someone', password: 'long-enough', again: 'long-enough', email: 'a@b.c', code: 'X' }

test('what is right has no faults', () => {
  expect(registrationFaults(good, true)).toEqual({})
  expect(registrationFaults({ ...good, email: '', code: '' }, false)).toEqual({})
  expect(registrationFaults({ ...good, username: 'a'.repeat(12) }, false)).toEqual({})
  const longest = 'a'.repeat(20)
  expect(registrationFaults({ ...good, password: longest, again: longest }, false)).toEqual({})
})

test('each field has its own fault', () => {
  const blank = { username: ' ', password: '', again: '', email: ' ', code: '' }
  expect(registrationFaults(blank, true)).toEqual({
    username: 'usernameMissing',
    password: 'passwordShort',
    email: 'email.missing',
    code: 'email.codeMissing',
  })
  const wrong = { ...good, username: 'a'.repeat(13), password: 'a'.repeat(21), again: 'other' }
  expect(registrationFaults(wrong, false)).toEqual({
    username: 'usernameLong',
    password: 'passwordLong',
    again: 'passwordsDiffer',
  })
})
