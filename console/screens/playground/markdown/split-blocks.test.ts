import { expect, test } from 'bun:test'
import { noBlocks, splitBlocks } from './split-blocks.ts'

const answer = `# Title

A paragraph with a [reference][one] and
a second line.

- loose

- list

  with a paragraph

1. one
2. two

| a | b |
|---|---|
| 1 | 2 |

\`\`\`ts
const a = 1

const b = \`x\`
\`\`\`

7. seven, loose

8. eight

12

> quote
lazy

Setext
======

[one]: https://example.com/a "Title"

~~~
open to the end`

/** What a stream leads to must be what the whole text is. */
test.each([1, 3, 17])('text that comes %p characters at a time is cut as the whole', step => {
  let blocks = noBlocks
  for (let at = step; at < answer.length + step; at += step) blocks = splitBlocks(answer.slice(0, at), blocks)
  expect(blocks).toEqual(splitBlocks(answer))
})

test('every block keeps its place and its kind', () => {
  const { blocks, definitions } = splitBlocks(answer)
  expect(blocks.map(({ source }) => source.slice(0, 6).trimEnd())).toEqual([
    '# Titl',
    'A para',
    '- loos',
    '1. one',
    '| a |',
    '```ts',
    '7. sev',
    '12',
    '> quot',
    'Setext',
    '~~~\nop',
  ])
  for (const { start, source } of blocks) expect(answer.slice(start).startsWith(source)).toBe(true)
  expect(definitions.map(({ source }) => source)).toEqual(['[one]: https://example.com/a "Title"'])
})

test('blocks that are done are the same objects while the text grows', () => {
  const before = splitBlocks('one\n\ntwo\n\nthr')
  const after = splitBlocks('one\n\ntwo\n\nthree\n\nfour', before)
  for (const at of [0, 1]) expect(after.blocks[at] === before.blocks[at]).toBe(true)
  expect(after.blocks.map(({ source }) => source)).toEqual(['one', 'two', 'three', 'four'])
})

test('a fence that is not closed yet is code, and known to be open', () => {
  const open = splitBlocks('Look:\n\n```python title="x"\nprint(1)\n')
  expect(open.blocks[1]?.code).toEqual({ language: 'python', text: 'print(1)', open: true })
  const closed = splitBlocks('Look:\n\n```python title="x"\nprint(1)\n```\n\nDone', open)
  expect(closed.blocks[1]?.code).toEqual({ language: 'python', text: 'print(1)', open: false })
  expect(closed.blocks[2]?.source).toBe('Done')
})

test('another text than before is cut anew, and line ends do not matter', () => {
  const before = splitBlocks('one\n\ntwo')
  expect(splitBlocks('other\r\n\r\ntext', before).blocks.map(({ source, start }) => [start, source])).toEqual(
    [
      [0, 'other'],
      [7, 'text'],
    ],
  )
  expect(splitBlocks('', before).blocks).toEqual([])
})
