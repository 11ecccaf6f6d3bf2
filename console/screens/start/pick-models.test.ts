import { expect, test } from 'bun:test'
import { pickChatModels } from './pick-models.ts'

test('a first call is a chat with a model that some channel has', () => {
  const lists = [
    'text-embedding-3-small, gpt-4o-mini,whisper-1',
    'gpt-4o-mini,gpt-4o,dall-e-3,',
    '',
    'mj_imagine',
  ]
  expect(pickChatModels(lists, new Set())).toEqual(['gpt-4o-mini', 'gpt-4o'])
  expect(pickChatModels(lists, new Set(['gpt-4o', 'whisper-1']))).toEqual(['gpt-4o'])
  expect(pickChatModels(['tts-1'], new Set(['tts-1']))).toEqual([])
  const vendors = ['gpt-5,gpt-5-mini', 'gemini-3-pro,gemini-3-flash']
  expect(pickChatModels(vendors, new Set())).toEqual([
    ...['gpt-5-mini', 'gemini-3-flash'],
    ...['gpt-5', 'gemini-3-pro'],
  ])
})
