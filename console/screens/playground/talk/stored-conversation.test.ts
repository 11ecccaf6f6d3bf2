import { expect, test } from 'bun:test'
import type { Answer, Turn } from './conversation.ts'
import { packConversation, unpackConversation } from './stored-conversation.ts'

const answer: Answer = { id: 'a', model: 'm', group: 'g', state: 'complete', text: 'yes', reasoning: '' }
const turn = (id: string, more: Partial<Turn> = {}): Turn => ({
  id,
  text: `question ${id}`,
  pictures: [],
  answers: { 0: answer },
  ...more,
})

test('what was said comes back as it was', () => {
  const turns = [turn('1'), turn('2', { answers: { 0: answer, 1: { ...answer, id: 'b' } } })]
  expect(unpackConversation(7, packConversation(7, turns))).toEqual(turns)
})

test('pictures and PDFs are dropped and their names kept', () => {
  const packed = packConversation(7, [
    turn('1', {
      pictures: [{ name: 'cat.png', url: 'data:image/png;base64,AAAA' }],
      pdfs: [{ name: 'cat.pdf', url: 'data:application/pdf;base64,AAAA' }],
    }),
  ])
  expect(packed).not.toContain('AAAA')
  expect(unpackConversation(7, packed)[0]).toMatchObject({
    pictures: [{ name: 'cat.png', url: '' }],
    pdfs: [{ name: 'cat.pdf', url: '' }],
  })
})

test('the newest turns are kept within the bound', () => {
  const turns = Array.from({ length: 50 }, (_, at) => turn(String(at), { text: 'x'.repeat(1000) }))
  const packed = packConversation(7, turns, 10_000)
  expect(packed.length).toBeLessThan(10_100)
  const kept = unpackConversation(7, packed)
  expect(kept.at(-1)?.id).toBe('49')
  expect(kept.length).toBeGreaterThan(5)
})

test('an answer that was still coming is one that was stopped', () => {
  const running: Answer = { ...answer, state: 'incomplete', text: 'half' }
  const [read] = unpackConversation(7, packConversation(7, [turn('1', { answers: { 0: running } })]))
  expect(read?.answers[0]).toMatchObject({ state: 'complete', stopped: true, text: 'half' })
})

test('nobody sees what somebody else said, and nonsense is nothing', () => {
  expect(unpackConversation(8, packConversation(7, [turn('1')]))).toEqual([])
  for (const text of [
    null,
    '',
    '7',
    '{}',
    '{"userId":7,"turns":7}',
    '{"userId":7,"turns":[null,{"id":1},[]]}',
  ])
    expect(unpackConversation(7, text)).toEqual([])
  const odd = '{"userId":7,"turns":[{"id":"1","text":"t","answers":{"0":{"id":1},"9":{}},"pictures":[7]}]}'
  expect(unpackConversation(7, odd)).toEqual([{ id: '1', text: 't', pictures: [], answers: {} }])
})
