import { expect, test } from 'bun:test'
import type { Message } from '../spec.ts'
import { writeRequest } from './write-request.ts'

function write({ messages }: { readonly messages: readonly Message[] }) {
  const request = { model: 'm', stream: false, system: [], tools: [], messages }
  return JSON.parse(JSON.stringify(writeRequest(request, { model: 'gemini-2.5-flash', stream: false })))
}

test('calls stand behind the words of a user, and each has its result, in a conversation that was cut', () => {
  const call = (id: string, name: string) => ({ type: 'tool-call', id, name, input: '{}' }) as const
  const result = (callId: string, name?: string) =>
    ({ type: 'tool-result', callId, name, content: [{ type: 'text', text: callId }] }) as const
  const { contents } = write({
    messages: [
      { role: 'user', parts: [result('lost')] },
      { role: 'assistant', parts: [call('a', 'f'), call('b', 'g')] },
      { role: 'user', parts: [result('a'), result('another', 'g')] },
      { role: 'assistant', parts: [call('c', 'f'), call('d', 'g')] },
      { role: 'user', parts: [result('d')] },
      { role: 'assistant', parts: [call('e', 'f')] },
    ],
  })
  const told = (id: string, name: string, output: string) => ({
    functionResponse: { id, name, response: { output } },
  })
  const silent = (id: string) => ({
    functionResponse: { id, name: 'f', response: { error: '(no result)' } },
  })
  expect(contents.map(({ parts }: { parts: unknown }) => parts)).toEqual([
    [{ text: 'lost' }],
    expect.any(Array),
    [told('a', 'f', 'a'), told('b', 'g', 'another')],
    expect.any(Array),
    [silent('c'), told('d', 'g', 'd')],
    expect.any(Array),
    [silent('e')],
  ])
  const begun = write({ messages: [{ role: 'assistant', parts: [call('a', 'f')] }] }).contents
  expect(begun.map(({ role }: { role: string }) => role)).toEqual(['user', 'model', 'user'])
})
