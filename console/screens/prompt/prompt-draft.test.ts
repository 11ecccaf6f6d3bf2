import { expect, test } from 'bun:test'
import { contentOf, draftOf, faultsOf, newPrompt } from './prompt-draft.ts'

const said = { ...newPrompt, name: 'greet', messages: [{ role: 'user' as const, content: 'Hi {{name}}' }] }

test('what is wrong is named', () => {
  expect(faultsOf(newPrompt)).toEqual({ name: 'nameWrong', messages: 'messagesWrong' })
  expect(faultsOf(said)).toEqual({})
  expect(faultsOf({ ...said, name: 'pmpt_x' })).toEqual({ name: 'nameWrong' })
  expect(faultsOf({ ...said, name: '问候' })).toEqual({ name: 'nameWrong' })
  expect(faultsOf({ ...said, labels: ['staging', 'v2.1'] })).toEqual({})
  for (const label of ['Staging', '3', 'latest', 'a b'])
    expect(faultsOf({ ...said, labels: [label] })).toEqual({ labels: 'labelWrong' })
  const late = [...said.messages, { role: 'system' as const, content: 'x' }]
  expect(faultsOf({ ...said, messages: late })).toEqual({ messages: 'systemWrong' })
  const long = [{ role: 'user' as const, content: 'x'.repeat(100_001) }]
  expect(faultsOf({ ...said, messages: long })).toEqual({ messages: 'largeWrong' })
  expect(faultsOf({ ...said, temperature: '3', top_p: 'x', max_tokens: '1.5', seed: '-7' })).toEqual({
    temperature: 'numberWrong',
    top_p: 'numberWrong',
    max_tokens: 'numberWrong',
  })
})

test('a first message for the system that was left blank is none', () => {
  const draft = { ...newPrompt, messages: [{ role: 'system' as const, content: '' }, ...said.messages] }
  expect(contentOf(draft).messages).toEqual(said.messages)
})

test('what was read is what is saved when nothing is changed', () => {
  const parameters = {
    ...{ temperature: 0, top_p: 0.5, max_tokens: 9, frequency_penalty: -1, presence_penalty: 1, seed: 3 },
    ...{ stop: ['\n', 'a,b'], reasoning_effort: 'low' as const },
  }
  const { messages } = said
  const version = {
    ...{ version: 2, model: 'm', note: 'old', created_at: 1, creator: '' },
    messages,
    parameters,
  }
  expect(contentOf(draftOf('greet', version))).toEqual({
    ...{ messages, model: 'm', note: '', labels: [], parameters },
  })
})
