import { expect, test } from 'bun:test'
import type { Turn } from './conversation.ts'
import { packHistory, titleOf } from './history.ts'

const turn = (text: string, more: Partial<Turn> = {}): Turn => ({
  id: 't',
  text,
  pictures: [],
  answers: {},
  ...more,
})

test('the newest conversations are kept within the bound', () => {
  const list = Array.from({ length: 60 }, (_, at) => ({ id: String(at), at, turns: [turn('x'.repeat(100))] }))
  expect(JSON.parse(packHistory(list))).toHaveLength(50)
  const few = JSON.parse(packHistory(list, 1000))
  expect(few.length).toBeGreaterThan(2)
  expect(few[0].id).toBe('0')
})

test('a conversation is called by its first line, or by what went with it', () => {
  expect(titleOf([turn('  One\ntwo')])).toBe('One')
  expect(titleOf([turn('', { files: [{ name: 'a.csv', text: '1' }] })])).toBe('a.csv')
  expect(titleOf([turn('', { pictures: [{ name: 'cat.png', url: '' }] })])).toBe('cat.png')
})
