import { expect, test } from 'bun:test'
import { countCompletion } from './completion-call.ts'

const frame = (text: string) =>
  Buffer.from(
    `data: {"id":"c","object":"text_completion","choices":[{"index":0,"text":${JSON.stringify(text)}}]}\n\n`,
  )

test('the text of a completion is counted, wherever its frames are cut', async () => {
  const seen: string[] = []
  const counter = {
    countText: async (text: string) => {
      seen.push(text)
      return text.length
    },
  }
  const count = countCompletion(counter)
  const bytes = Buffer.concat([
    frame('你好 '),
    frame('"usage"'),
    frame(' world'),
    Buffer.from('data: [DONE]\n\n'),
  ])
  for (let at = 0; at < bytes.length; at += 7) count.add(bytes.subarray(at, at + 7))
  expect(await count.total()).toBe('你好 "usage" world'.length)
  expect(seen.join('')).toBe('你好 "usage" world')
})

test('nothing is counted when the upstream has said how much it was', async () => {
  const seen: string[] = []
  const count = countCompletion({ countText: async text => seen.push(text) })
  count.add(frame('hi'))
  count.discard()
  expect(seen).toEqual([])
})
