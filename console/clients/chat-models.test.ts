import { expect, test } from 'bun:test'
import { answersChats, pricedUnit, writesNothing } from './chat-models.ts'

test('models of videos are told from others by their names', () => {
  const videos = [
    'sora-2-pro',
    'veo-3.1-generate-001',
    'MiniMax-Hailuo-02',
    'T2V-01',
    'wan2.6-i2v',
    'kling-v2-6',
  ]
  const others = [
    'gpt-4o',
    'dall-e-3',
    'mj_video',
    'swap_face',
    'suno_music',
    'jimeng_t2i_v40',
    'viduq1-image',
  ]
  expect(videos.filter(model => pricedUnit(model) === 'second')).toEqual(videos)
  expect(others.filter(model => pricedUnit(model) !== 'call')).toEqual([])
  expect([...videos, ...others].filter(answersChats)).toEqual(['gpt-4o'])
})

test('models whose answers are no text are told by their names', () => {
  const silent = [
    'text-embedding-3-small',
    'bge-m3',
    'jina-reranker-v2-base-multilingual',
    'omni-moderation-latest',
  ]
  expect([...silent, 'gpt-4o', 'whisper-1', 'gpt-image-1'].filter(writesNothing)).toEqual(silent)
})

test('what reads documents and what searches does not chat', () => {
  const reading = ['mistral-ocr-latest', 'mistral-ocr-4-0', 'mistral-document-ai-2505']
  const searching = ['perplexity-search', 'tavily-search', 'my-search']
  const chatting = ['gpt-5-search-api', 'gpt-4o-search-preview', 'deepseek-ocr', 'mistral-large-latest']
  expect([...reading, ...searching, ...chatting].filter(answersChats)).toEqual(chatting)
  expect([...reading, ...searching, ...chatting].filter(model => pricedUnit(model) === 'page')).toEqual(
    reading,
  )
})
