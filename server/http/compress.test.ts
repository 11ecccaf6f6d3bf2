import { expect, test } from 'bun:test'
import { squeeze } from './compress.ts'

const asking = (accepted?: string) =>
  new Request('http://x/', accepted === undefined ? {} : { headers: { 'accept-encoding': accepted } })
const letters = (many: number) => Array.from({ length: many }, (_, at) => `é${at},`).join('')
const inParts = (text: string) => {
  const bytes = Buffer.from(text)
  const at = Math.floor(bytes.length / 3)
  return [bytes.subarray(0, at), bytes.subarray(at, at + 1), bytes.subarray(at + 1)]
}

test.each([
  ['short', letters(10), undefined],
  ['of one turn', letters(2000), 'gzip'],
  ['long', letters(20_000), 'gzip'],
] as const)('text that is %s', async (_, text, encoding) => {
  const { body, headers } = await squeeze(text, asking('br, gzip'))
  expect(headers['content-encoding']).toBe(encoding as never)
  expect(typeof body === 'string' ? body : String(Buffer.from(Bun.gunzipSync(body)))).toBe(text)
  expect(await squeeze(text, asking())).toEqual({ body: text, headers: {} })
})

test.each([100, 20_000, 300_000])('parts of %d letters are one whole', async many => {
  const text = letters(many)
  const { body, headers } = await squeeze(inParts(text), asking('gzip'))
  expect(headers).toEqual({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(typeof body === 'string' ? '' : String(Buffer.from(Bun.gunzipSync(body)))).toBe(text)
  const plain = await squeeze(inParts(text), asking('br'))
  expect(String(plain.body)).toBe(text)
  expect(plain.headers).toEqual({})
})
