import { expect, test } from 'bun:test'
import { isTextFile, readTextFile, withFiles } from './text-files.ts'

test('texts are known by their type or by their name', () => {
  for (const [name, type] of [
    ['a.txt', 'text/plain'],
    ['main.rs', ''],
    ['data.json', 'application/json'],
    ['app.TSX', ''],
    ['video.ts', 'video/mp2t'],
  ] as const)
    expect([name, isTextFile({ name, type })]).toEqual([name, true])
  for (const [name, type] of [
    ['a.pdf', 'application/pdf'],
    ['a.png', 'image/png'],
    ['a.bin', ''],
  ] as const)
    expect([name, isTextFile({ name, type })]).toEqual([name, false])
})

test('a file follows the question, fenced so that it cannot end its own fence', () => {
  const files = [{ name: 'a.md', text: '````js\n1\n````\n' }]
  expect(withFiles('Why?', files)).toBe('Why?\n\na.md\n`````\n````js\n1\n````\n`````')
  expect(withFiles('', [{ name: 'b', text: 'x' }])).toBe('b\n```\nx\n```')
  expect(withFiles('Why?')).toBe('Why?')
})

test('what only looks like a text is refused', async () => {
  await expect(readTextFile(new File(['a\0b'], 'a.txt'))).rejects.toThrow('not a text')
  expect(await readTextFile(new File(['ab'], 'a.txt'))).toEqual({ name: 'a.txt', text: 'ab' })
})
