import { expect, test } from 'bun:test'
import { leaveOutContent } from './leave-out-content.ts'

test('thoughts by the name that others use are left out, and nothing else', () => {
  const said = { role: 'assistant', content: 'a', reasoning: 'kept' }
  const messages = [{ ...said, reasoning_content: 'x' }, { ...said, reasoning_details: [] }, said, null]
  expect(leaveOutContent({ messages })).toEqual({ messages: [said, said, said, null] })
  for (const body of [{ messages: [said] }, {}, { messages: null }, { messages: 'x' }])
    expect(leaveOutContent(body)).toBeUndefined()
})
