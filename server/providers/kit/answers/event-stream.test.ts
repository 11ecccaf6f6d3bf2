import { describe, expect, test } from 'bun:test'
import { eventStream } from './event-stream.ts'

const SAMPLE = Buffer.from(
  'AAAAewAAAEsKLpavCzpldmVudC10eXBlBwAFY2h1bmsNOmNvbnRlbnQtdHlwZQcAEGFwcGxpY2F0aW9uL2pzb24NOm1lc3NhZ2UtdHlwZQcABWV2ZW50eyJieXRlcyI6ImV5SjBlWEJsSWpvaWNHbHVaeUo5In2gH1bE',
  'base64',
)

interface Message {
  readonly headers: ReadonlyMap<string, string>
  readonly payload: string
}

function read(chunks: readonly Uint8Array[]): Message[] {
  const messages: Message[] = []
  const framing = eventStream(headers => (text, start, end) => {
    messages.push({ headers, payload: text.slice(start, end) })
  })
  const reader = framing.createReader(() => {})
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  return messages
}

describe('the binary event stream', () => {
  test('a message', () => {
    const [message] = read([SAMPLE])
    expect(message?.headers.get(':event-type')).toBe('chunk')
    expect(message?.headers.get(':message-type')).toBe('event')
    expect(message?.payload).toBe('{"bytes":"eyJ0eXBlIjoicGluZyJ9"}')
  })

  test('two messages, cut at every byte', () => {
    const both = Buffer.concat([SAMPLE, SAMPLE])
    for (let at = 0; at <= both.length; at++)
      expect(read([both.subarray(0, at), both.subarray(at)])).toHaveLength(2)
    expect(read([...both].map(byte => Uint8Array.of(byte)))).toHaveLength(2)
    expect(read([both.subarray(0, -1)])).toHaveLength(1)
  })

  test('every damaged byte is found', () => {
    for (let at = 0; at < SAMPLE.length; at++) {
      const damaged = Buffer.from(SAMPLE)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      expect(() => read([damaged])).toThrow('sent what cannot be read')
    }
  })
})
