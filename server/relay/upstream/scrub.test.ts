import { expect, test } from 'bun:test'
import { sampleChannel } from '../../../test/relay/sample-channels.ts'
import { namesSecret, scrub } from './scrub.ts'

const KEY = '0f1e2d3c4b5a69788796a5b4c3d2e1f0'
const HOST = 'inner-upstream.example.internal'
const channel = sampleChannel({ key: `${KEY}\nanother-key-of-the-same-channel` })

const clean = (text: string): string => scrub(text, channel, [HOST])

test('a short text is told without what is secret in it', () => {
  expect(clean(`no ${KEY} at ${HOST}, sk-abcdefghijklmnop`)).toBe('no *** at ***, ***')
})

test('a key is known as it stands in an address too', () => {
  const key = 'a1B2/c3D4+e5F6 g7=='
  const told = sampleChannel({ key })
  const inForm = new URLSearchParams({ key }).toString()
  for (const text of [`/x?${inForm} failed`, `/x?key=${encodeURIComponent(key)} failed`]) {
    expect(scrub(text, told, [])).toBe('/x?key=*** failed')
    expect(namesSecret(text, told, [])).toBe(true)
  }
})

test('what an address proves itself with is a key too', () => {
  const channel = sampleChannel({ base_url: 'https://reader:s3cret-word@inner.example/v1' })
  const pair = Buffer.from('reader:s3cret-word').toString('base64')
  const text = `https://reader:s3cret-word@inner.example: no (Basic ${pair})`
  expect(scrub(text, channel, ['inner.example'])).toBe('https://***@***: no (Basic ***)')
  expect(namesSecret(`realm s3cret-word`, channel, [])).toBe(true)
})

test('of a long text no part of a secret is left, wherever it is cut', () => {
  for (const secret of [KEY, HOST, 'another-key-of-the-same-channel'])
    for (let before = 1900; before < 2100; before++)
      for (const first of ['', secret.repeat(9)]) {
        const told = clean(`${first}${' '.repeat(before - first.length)}${secret}${' x'.repeat(5000)}`)
        expect(told.length).toBeLessThanOrEqual(2001)
        expect(told.replace(/\*+/g, '')).toMatch(/^[ x]*…$/)
      }
})

test.each([
  [
    'User: arn:aws:iam::123456789012:user/relay is not authorized to perform: bedrock:InvokeModel',
    'User: *** is not authorized to perform: bedrock:InvokeModel',
  ],
  [
    'Publisher Model `projects/acme-prod-1/locations/us-central1/publishers/google/models/x` was not found',
    'Publisher Model `***/locations/us-central1/publishers/google/models/x` was not found',
  ],
  [
    'Gemini API has not been used in project 123456789012 before; see /overview?project=123456789012',
    'Gemini API has not been used in *** before; see /overview?***',
  ],
  ["Quota exceeded for consumer 'project_number:123456789012'.", "Quota exceeded for consumer '***'."],
])('%s is told without the account', (said, told) => {
  expect(clean(said)).toBe(told)
})

test('a word that only looks so stays', () => {
  for (const text of ['no project 42 here', 'the projects are many', 'arn:other:thing'])
    expect(clean(text)).toBe(text)
})
