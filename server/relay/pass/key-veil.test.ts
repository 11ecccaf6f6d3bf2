import { expect, test } from 'bun:test'
import { sampleChannel } from '../../../test/relay/sample-channels.ts'
import { KeyVeil } from './key-veil.ts'

const KEY = 'abcabd-0123456789/+abcabd'
const stars = (text: string): string => '*'.repeat(text.length)

function veil(base_url: string | null = null): KeyVeil {
  const channel = sampleChannel({ key: KEY, base_url })
  return new KeyVeil({ channel, key: KEY, model: '' })
}

/** What comes out of pieces. */
function through(pieces: readonly Uint8Array[], by = veil()): string {
  const shown = pieces.map(piece => Buffer.from(by.take(piece)).toString('latin1'))
  return [...shown, Buffer.from(by.rest()).toString('latin1')].join('')
}

test('a key is blanked wherever an answer is cut in two, or into single bytes', () => {
  const text = `abcabc${KEY}abcab ${KEY}${KEY} end abcabd-01`
  const expected = text.replaceAll(KEY, stars(KEY))
  for (let at = 0; at <= text.length; at++)
    expect(through([Buffer.from(text.slice(0, at)), Buffer.from(text.slice(at))])).toBe(expected)
  expect(through([...text].map(letter => Buffer.from(letter)))).toBe(expected)
})

test('as addresses, forms and JSON spell it too, and what the base URL proves itself with', () => {
  const spelled = [
    encodeURIComponent(KEY),
    new URLSearchParams({ k: KEY }).toString().slice(2),
    KEY.replace('/', '\\/'),
  ]
  for (const one of spelled) expect(through([Buffer.from(`<${one}>`)])).toBe(`<${stars(one)}>`)
  const ours = veil('https://reader:a-long-password@host/x')
  const pair = Buffer.from('reader:a-long-password').toString('base64')
  expect(through([Buffer.from(`Basic ${pair}, a-long-password`)], ours)).toBe(
    `Basic ${stars(pair)}, ${stars('a-long-password')}`,
  )
})

test('nothing waits but the beginning of a key, and no byte is lost', () => {
  const by = veil()
  expect(Buffer.from(by.take(Buffer.from('data: 1\n\n'))).toString()).toBe('data: 1\n\n')
  expect(Buffer.from(by.take(Buffer.from('so abca'))).toString()).toBe('so ')
  expect(Buffer.from(by.take(Buffer.from('n'))).toString()).toBe('abcan')
  const bytes = new Uint8Array(3000).map((_, at) => (at * 7919) % 256)
  const cut = [bytes.subarray(0, 1000), bytes.subarray(1000, 1001), bytes.subarray(1001)]
  expect(through(cut.map(piece => piece.slice()))).toBe(Buffer.from(bytes).toString('latin1'))
})
