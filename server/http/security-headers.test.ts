import { expect, test } from 'bun:test'
import { newNonce, pagePolicy, setSecurityHeaders } from './security-headers.ts'

test.each([false, true])('every answer says how it is to be taken, secure %p', secure => {
  const headers = new Headers()
  setSecurityHeaders(headers, secure)
  expect(headers.toJSON()).toEqual({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    // A browser that has heard this once would never come without TLS again.
    ...(secure && { 'strict-transport-security': 'max-age=31536000' }),
  })
})

const directives = (policy: string): Record<string, string> =>
  Object.fromEntries(policy.split('; ').map(one => one.split(/ (.*)/, 2) as [string, string]))

test('a page takes nothing from elsewhere, and nobody else frames it', () => {
  expect(directives(pagePolicy('abc'))).toEqual({
    'default-src': "'self'",
    'script-src': "'self'",
    'style-src': "'self' 'nonce-abc'",
    'img-src': "'self' data: https:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'frame-src': "'none'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self' https:",
    'frame-ancestors': "'self'",
  })
})

const none = { scripts: [], frames: [], asked: [], pictures: [], forms: [] }

test('who may be asked whether they are there gives and shows nothing', () => {
  const hosts = { ...none, asked: ['https://line.example'] }
  const { 'connect-src': asked, ...others } = directives(pagePolicy('abc', hosts))
  expect(asked).toBe("'self' https://line.example")
  expect(Object.values(others).join(' ')).not.toContain('example')
})

test('who gives a script may show a frame too, and who shows a frame gives no script', () => {
  const hosts = { ...none, scripts: ['https://script.example'], frames: ['https://frame.example'] }
  const { 'script-src': scripts, 'frame-src': frames, ...others } = directives(pagePolicy('abc', hosts))
  expect(scripts).toBe("'self' https://script.example")
  expect(frames).toBe('https://script.example https://frame.example')
  expect(Object.values(others).join(' ')).not.toContain('example')
})

test('who gives a picture or takes a form does that and nothing else', () => {
  const hosts = { ...none, pictures: ['http://picture.example'], forms: ['http://pay.example'] }
  const { 'img-src': pictures, 'form-action': forms, ...others } = directives(pagePolicy('abc', hosts))
  expect(pictures).toBe("'self' data: https: http://picture.example")
  expect(forms).toBe("'self' https: http://pay.example")
  expect(Object.values(others).join(' ')).not.toContain('example')
})

test('no two nonces are the same, and none ends the policy', () => {
  const nonces = Array.from({ length: 100 }, newNonce)
  expect(new Set(nonces).size).toBe(100)
  for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/)
})
