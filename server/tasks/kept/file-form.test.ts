import { expect, test } from 'bun:test'
import { FileForm } from './file-form.ts'
import type { FormEvent } from './read-form.ts'

const head = {
  ...{ name: 'file', isFile: true, fileName: 'a.pdf' },
  ...{ fileNameCoded: undefined, contentType: undefined },
}

/** As it comes in, in memory that is written to again. */
async function* coming(file: Buffer, size: number): AsyncGenerator<FormEvent> {
  yield { kind: 'part', head }
  const memory = Buffer.alloc(size)
  for (let at = 0; at < file.length; at += size)
    yield { kind: 'bytes', bytes: memory.subarray(0, file.copy(memory, 0, at, at + size)) }
  yield { kind: 'end' }
}

async function open(file: Buffer, size: number): Promise<FileForm> {
  const form = new FileForm(coming(file, size), { checks: {} })
  await form.findFile()
  return form
}

const send = (form: FileForm) => Array.fromAsync(form.stream(() => {}, new AbortController()))

/** What is sent, without the form around it. */
function fileIn(pieces: readonly Uint8Array[]): Buffer {
  const whole = Buffer.concat(pieces)
  return whole.subarray(whole.indexOf('\r\n\r\n') + 4, whole.lastIndexOf('\r\n--'))
}

test('a file that comes byte by byte is held in few pieces, and sent as often as is wanted', async () => {
  const file = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7) % 251))
  const form = await open(file, 1)
  await form.readAhead()
  for (let time = 0; time < 2; time++) {
    const pieces = await send(form)
    expect(fileIn(pieces).equals(file)).toBe(true)
    expect(pieces.length).toBeLessThan(10)
  }
  expect([form.bytes, form.isKept]).toEqual([file.length, true])
})

test.each([1000, 65_536, 70_001, 3_000_000])(
  'one that is too long to be held goes on while it comes, %d bytes at a time',
  async size => {
    const file = Buffer.from(Uint8Array.from({ length: 5_000_000 }, (_, at) => (at * 7) % 251))
    const form = await open(file, size)
    expect(fileIn(await send(form)).equals(file)).toBe(true)
    expect(form.isKept).toBe(false)
    await expect(send(form)).rejects.toThrow('not kept')
  },
)
