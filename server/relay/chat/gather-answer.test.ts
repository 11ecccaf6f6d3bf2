import { expect, spyOn, test } from 'bun:test'
import type { StreamReader } from '../../dialects/dialect.ts'
import { noNumbers } from '../../dialects/frame-shape.ts'
import { gatherAnswer } from './gather-answer.ts'

const reader: StreamReader = {
  mayVary: noNumbers,
  read(_event, text, emit) {
    if (text === 'call') {
      emit({ type: 'tool-start', index: 0, id: 'c', name: 'f' })
      emit({ type: 'tool-end', index: 0 })
    } else emit({ type: 'text-delta', text, logprobs: [{ token: text, logprob: -1, top: [] }] })
  },
  end: () => true,
}

async function gather(words: readonly string[]) {
  const body = words.map(word => `data: ${word}\n\n`).join('')
  const { answer } = await gatherAnswer(new Response(body), reader)
  return (answer?.parts ?? []).map(part => (part.type === 'text' ? part : { type: part.type }))
}

test('what was likely is told of each text by itself', async () => {
  const [one, call, other] = await gather(['a', 'b', 'call', 'c'])
  expect(one).toMatchObject({ text: 'ab', logprobs: [{ token: 'a' }, { token: 'b' }] })
  expect(call).toEqual({ type: 'tool-call' })
  expect(other).toMatchObject({ text: 'c', logprobs: [{ token: 'c' }] })
})

test('what was likely of a long text is not copied again with every word', async () => {
  const words = Array.from({ length: 1000 }, (_, at) => `w${at}`)
  const walks = spyOn(Array.prototype, Symbol.iterator)
  const [said] = await gather(words)
  const lists = walks.mock.contexts as (readonly unknown[])[]
  walks.mockRestore()
  let walked = 0
  for (let at = 0; at < lists.length; at++) walked += lists[at]?.length ?? 0
  expect(said).toMatchObject({ text: words.join('') })
  expect(walked).toBeLessThan(20 * words.length)
})
