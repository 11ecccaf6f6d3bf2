import { expect, test } from 'bun:test'
import { TailStream } from './tail-stream.ts'

test('a stream shows that it lives though nobody has anything to tell, and ends once', async () => {
  let left = 0
  const stream = new TailStream(() => left++)
  const decoder = new TextDecoder()
  let heard = ''
  for await (const chunk of stream.response().body ?? []) {
    heard += decoder.decode(chunk as Uint8Array, { stream: true })
    if (heard.includes(': still here')) stream.end()
  }
  expect(heard).toBe('retry: 2000\n\n: still here\n\n')
  stream.end()
  expect(left).toBe(1)
})
