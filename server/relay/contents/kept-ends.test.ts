import { describe, expect, test } from 'bun:test'
import { seeded } from '../../../test/faults/random.ts'
import { KeptEnds } from './kept-ends.ts'

const KB = 1024
const always = () => true

function keep(text: string, limit: number, cut: (left: number) => number = left => left) {
  const ends = new KeptEnds(limit, always)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) {
    const to = at + Math.max(1, cut(bytes.length - at))
    ends.add(bytes.subarray(at, to))
    at = to
  }
  ends.end()
  return { text: ends.take().toString(), leftOut: ends.leftOut }
}

/** The same in the simplest words. */
function withoutCode(text: string): string {
  return text.replace(
    /[A-Za-z0-9+/=_\\-]{513,}/g,
    run => `${run.slice(0, 512)}[… ${run.length - 512} bytes of base64]`,
  )
}

describe('what is kept', () => {
  test('is everything, up to the limit', () => {
    const text = '问 and answer. '.repeat(50)
    const limit = Buffer.byteLength(text)
    expect(keep(text, limit)).toEqual({ text, leftOut: 0 })
    expect(keep(text, limit, () => 1)).toEqual({ text, leftOut: 0 })
  })

  test('of what is longer is its beginning and its end, without a sign that was cut through', () => {
    const text = Array.from({ length: 5000 }, (_, at) => `第${at}句。`).join('')
    for (const limit of [KB, KB + 1, KB + 2, KB + 3])
      for (const step of [1, 7, 1000, 1e9]) {
        const kept = keep(text, limit, () => step)
        expect(kept.leftOut).toBe(Buffer.byteLength(text) - limit)
        const [head = '', tail = ''] = kept.text.split(`\n\n[… ${kept.leftOut} bytes …]\n\n`)
        expect(text.startsWith(head)).toBe(true)
        expect(text.endsWith(tail)).toBe(true)
        expect(Buffer.byteLength(head)).toBeGreaterThan((limit >> 1) - 4)
        expect(Buffer.byteLength(tail)).toBeGreaterThan((limit >> 1) - 4)
        expect(kept.text).not.toContain('\ufffd')
      }
  })

  test('has no long runs of base64 in it, wherever they stand and however they come', () => {
    const random = seeded(20)
    const below = (most: number) => random(0, most - 1)
    for (let round = 0; round < 300; round++) {
      const parts = Array.from({ length: 1 + below(6) }, () =>
        below(2) === 0
          ? `{"say": "some 词 ${below(99)}"}, `.repeat(below(60))
          : 'Ab+/9_-='.repeat(below(400)).slice(0, [511, 512, 513, 1024, 2000, 3000][below(6)]),
      )
      const text = parts.join(below(2) === 0 ? '"' : '')
      const largest = [3, 200, 600, 5000][below(4)] ?? 1
      expect(keep(text, KB * KB, () => below(largest)).text).toBe(withoutCode(text))
    }
  })

  test('takes no more memory than the limit, and says so before', () => {
    let held = 0
    const ends = new KeptEnds(64 * KB, bytes => {
      held += bytes
      return true
    })
    const chunk = Buffer.from('data: {"say": "a word or two"}\n\n'.repeat(1000))
    for (let at = 0; at < 3000; at++) ends.add(chunk)
    ends.end()
    expect(held).toBe(64 * KB)
    expect(ends.leftOut).toBe(chunk.length * 3000 - 64 * KB)
    expect(ends.take().toString()).toEndWith('a word or two"}\n\n')
  })

  test('is nothing where there is no memory for it', () => {
    const ends = new KeptEnds(64 * KB, () => false)
    ends.addText('a word')
    ends.addText('another')
    expect(ends.isLost).toBe(true)
    expect(ends.take().toString()).toBe('')
  })

  test('is the text as it was, also where it is handed over in slices', () => {
    const text = `${'😀 '.repeat(60_000)}end`
    const ends = new KeptEnds(KB * KB, always)
    ends.addText(text)
    expect(ends.take().toString()).toBe(text)
  })
})
