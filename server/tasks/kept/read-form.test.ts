import { expect, test } from 'bun:test'
import { LineSplitter } from '../batches/split-lines.ts'
import { readForm } from './read-form.ts'

const type = 'multipart/form-data; boundary=edge'
const part = (name: string, content: string, more = ''): string =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`
const file = 'one\r\n--edg\r\n-- edge is none\n\r\nlast'
const form = `${part('purpose', 'batch')}${part('empty', '')}${part('file', file, '; filename="a.jsonl"')}--edge--\r\n`

async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(text: string, size: number): Promise<Record<string, string>> {
  const parts: Record<string, string> = {}
  let name = ''
  for await (const event of readForm(inPieces(text, size), type)) {
    if (event.kind === 'part') {
      ;({ name } = event.head)
      parts[name] = ''
    } else if (event.kind === 'bytes') parts[name] += event.bytes.toString()
  }
  return parts
}

test('a form reads the same wherever it is cut', async () => {
  for (let size = 1; size <= form.length; size++)
    expect(await read(form, size)).toEqual({ purpose: 'batch', empty: '', file })
})

test.each([
  ['without its end', form.slice(0, -8)],
  ['without a part', 'nothing\r\n--edge--'],
  ['with something after a boundary', form.replace('--edge\r\n', '--edge x\r\n')],
  ['with a head that never ends', `--edge\r\n${'x'.repeat(10_000)}`],
  ['with a head that two could read differently', form.replace('name="purpose"', 'name="a"; name="b"')],
  ['of nothing', ''],
])('a form %s is refused', async (_, text) => {
  for (const size of [1, 7, 1000]) await expect(read(text, size)).rejects.toThrow('multipart')
})

test('lines are the same wherever they are cut, and none that is too long is held', () => {
  const text = `first\n\nthe third, 三\n${'x'.repeat(50)}\nlast`
  for (let size = 1; size <= text.length; size++) {
    const splitter = new LineSplitter(20)
    const found: (string | undefined)[] = []
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size)
      found.push(...splitter.push(bytes.subarray(at, at + size)))
    expect([...found, splitter.end()]).toEqual(['first', '', 'the third, 三', undefined, 'last'])
  }
})
