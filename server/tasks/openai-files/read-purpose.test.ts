import { expect, test } from 'bun:test'
import { type FormEvent, readForm } from '../kept/read-form.ts'
import { readPurpose } from './read-purpose.ts'

// What a file is for, wherever that stands, and nothing lost of the form on the way.

const type = 'multipart/form-data; boundary=edge'
const field = (name: string, text: string, more = ''): string =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`
const file = (text: string): string => field('file', text, '; filename="a"')
const LONG = 5 * 1024 * 1024
const request = '{"custom_id":"a","method":"POST","url":"/v1/responses","body":{}}\n'

async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function all(events: AsyncIterator<FormEvent>): Promise<string> {
  let text = ''
  for (let event = await events.next(); !event.done; event = await events.next()) {
    const { value } = event
    text += value.kind === 'part' ? `[${value.head.name}:` : value.kind === 'bytes' ? value.bytes : ']'
  }
  return text
}

const cases: [string, string, string | undefined, boolean][] = [
  ['before a file', field('purpose', 'vision') + file('words'), 'vision', false],
  ['behind one', file('words') + field('purpose', 'batch'), 'batch', true],
  ['behind a long one', file('x'.repeat(LONG)) + field('purpose', 'batch'), undefined, false],
  ['behind a long one of requests', file(request.repeat(LONG / 64)) + field('purpose', 'x'), undefined, true],
  ['before a long one', field('purpose', 'x') + file(request.repeat(LONG / 64)), 'x', false],
  ['nowhere', file('words'), undefined, false],
  ['nowhere, with a request', file(request), undefined, false],
  ['without words', field('purpose', '') + file('words'), '', false],
  ['as a file', field('purpose', 'batch', '; filename="b"') + file('words'), undefined, false],
]

test.each(cases)('%s', async (_, parts, purpose, isForBatch) => {
  const form = `${parts}--edge--\r\n`
  const whole = await all(readForm(inPieces(form, form.length), type))
  for (const size of form.length > LONG ? [70_000] : [1, 7, form.length]) {
    const found = await readPurpose(readForm(inPieces(form, size), type))
    expect([found.purpose, found.isForBatch]).toEqual([purpose, isForBatch])
    expect((await all(found.events)) === whole).toBe(true)
  }
})
