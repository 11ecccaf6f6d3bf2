import { expect, test } from 'bun:test'
import { dialects } from './index.ts'
import { readSeveral, SeveralWriter } from './several-answers.ts'
import type { StreamPart } from './spec.ts'

const chunk = (...choices: readonly object[]) => ({ id: 'c', model: 'm', created: 1, choices })
const said = (index: number, content: string) => ({ index, delta: { content }, finish_reason: null })
const ended = (index: number) => ({ index, delta: {}, finish_reason: 'stop' })

function reader(count: number) {
  const parts: StreamPart[] = []
  const emit = (part: StreamPart) => void parts.push(part)
  const reading = readSeveral(dialects['openai-chat'], 'choices', count).createReader()
  return {
    read: (frame: object | string) =>
      reading.read('', typeof frame === 'string' ? frame : JSON.stringify(frame), emit),
    end: () => reading.end(emit),
    /** What has come since somebody asked last. */
    heard: () => parts.splice(0).filter(({ type }) => type !== 'start'),
  }
}

test('with the finish of the first the answer is whole, so that it waits for all the others', () => {
  const { read, end, heard } = reader(2)
  read(chunk(said(0, 'one'), said(1, 'other')))
  read(chunk(ended(0)))
  expect(heard().filter(({ type }) => type === 'finish')).toEqual([])
  read(chunk(ended(1)))
  const finish = { type: 'finish', finish: { reason: 'stop' } }
  expect(heard()).toEqual([{ type: 'choice', index: 1, part: finish }, finish] as StreamPart[])
  read('[DONE]')
  expect([end(), heard()]).toEqual([true, []])
})

test('an answer that breaks off in one of several is not whole', () => {
  const { read, end } = reader(2)
  read(chunk(said(0, 'one'), said(1, 'other')))
  read(chunk(ended(0)))
  expect(end()).toBe(false)
})

test('a problem is everybody’s, whichever answer it stands in', () => {
  const { read, heard } = reader(2)
  read(chunk(said(0, 'one'), said(1, 'other')))
  heard()
  read(chunk({ ...ended(1), finish_reason: 'insufficient_system_resource' }))
  expect(heard()).toMatchObject([{ type: 'problem', problem: { status: 502 } }])
})

test('what all of them cost is told once', () => {
  const { read, heard } = reader(2)
  read({ ...chunk(ended(0), ended(1)), usage: { prompt_tokens: 3, completion_tokens: 8 } })
  const usages = heard().flatMap(part => {
    const one = part.type === 'choice' ? part.part : part
    return one.type === 'usage' ? [one.usage] : []
  })
  expect(usages).toEqual([{ input: 3, output: 8 }])
})

test('the frames of each have its number, and the end mark comes once', () => {
  const request = { model: 'm', stream: true, system: [], messages: [], tools: [] }
  const asked = { model: 'm', request, estimatedInput: 1 }
  const writer = new SeveralWriter(() => dialects['openai-chat'].createWriter(asked), 'choices')
  writer.write({ type: 'start', id: 'c', model: 'm', created: 1 })
  writer.write({ type: 'choice', index: 1, part: { type: 'start', id: 'c', model: 'm', created: 1 } })
  const frame = writer.write({ type: 'choice', index: 1, part: { type: 'text-delta', text: 'other' } })
  expect(JSON.parse(frame.slice('data: '.length))).toMatchObject({
    choices: [{ index: 1, delta: { content: 'other' } }],
  })
  expect(writer.end().match(/\[DONE\]/g)).toEqual(['[DONE]'])
})
