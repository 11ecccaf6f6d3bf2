import { describe, expect, test } from 'bun:test'
import { providerOf } from '../../providers/index.ts'
import { chooseTestModel, composeTest } from './test-request.ts'

function composed(type: number, model: string, baseUrl?: string) {
  const provider = providerOf(type)
  if (!provider) throw new Error(`no provider of type ${type}`)
  const test = composeTest(provider, { baseUrl, setting: {} }, 'as-named', model)
  if (!test) return undefined
  const { json } = test.kind === 'chat' ? test.call.body : { json: test.call.fields }
  return [test.kind === 'chat' ? test.call.dialect.name : test.call.capability, json]
}

const hi = [{ role: 'user', content: 'hi' }]

test('what is sent depends on what the upstream’s model does', () => {
  const short = { model: 'as-named', messages: hi, max_tokens: 1, stream: false }
  const thinking = { model: 'as-named', messages: hi, max_completion_tokens: 16, stream: false }
  const responses = { model: 'as-named', input: 'hi', max_output_tokens: 16, stream: false }
  const cases: [number, string, unknown][] = [
    [1, 'gpt-4o', ['openai-chat', short]],
    [14, 'claude-opus-5-5', ['openai-chat', short]],
    [1, 'o3-mini', ['openai-chat', thinking]],
    [1, 'ft:gpt-5.4:house', ['openai-chat', thinking]],
    [1, 'gpt-5.4-pro', ['openai-responses', responses]],
    [1, 'o3-deep-research', ['openai-responses', responses]],
    // Nobody speaks it there: the ordinary way is the only one.
    [14, 'gpt-5-codex', ['openai-chat', thinking]],
    [1, 'text-embedding-3-small', ['embeddings', { model: 'as-named', input: 'hi' }]],
    [40, 'BAAI/bge-m3', ['embeddings', { model: 'as-named', input: 'hi' }]],
    [40, 'BAAI/bge-reranker-v2-m3', ['rerank', { model: 'as-named', query: 'hi', documents: ['hi'] }]],
    [1, 'gpt-4o-mini-tts', ['speech', { model: 'as-named', input: 'hi', voice: 'alloy' }]],
    [1, 'gpt-image-2.5-flare', ['images', { model: 'as-named', prompt: 'a dot', n: 1 }]],
    [45, 'doubao-seedream-4-0-250828', ['images', { model: 'as-named', prompt: 'a dot', n: 1 }]],
    [48, 'grok-2-image-1212', ['images', { model: 'as-named', prompt: 'a dot', n: 1 }]],
    [40, 'FunAudioLLM/CosyVoice2-0.5B', ['speech', { model: 'as-named', input: 'hi', voice: 'alloy' }]],
    [4, 'all-minilm', ['embeddings', { model: 'as-named', input: 'hi' }]],
    [102, 'intfloat/multilingual-e5-large-instruct', ['embeddings', { model: 'as-named', input: 'hi' }]],
    // Where there is no chat, nothing is for chat.
    [38, 'jina-colbert-v2', ['embeddings', { model: 'as-named', input: 'hi' }]],
    [1, 'deepseek-r1-search', ['openai-chat', short]],
    [27, 'perplexity-search', ['web-search', { model: 'as-named', query: 'hi', max_results: 1 }]],
    [1002, 'anything', ['web-search', { model: 'as-named', query: 'hi', max_results: 1 }]],
    [
      42,
      'mistral-ocr-4-0',
      ['ocr', { model: 'as-named', document: expect.objectContaining({ type: 'image_url' }) }],
    ],
    [1, 'mistral-ocr-4-0', undefined],
    [1, 'whisper-1', undefined],
    [40, 'FunAudioLLM/SenseVoiceSmall', undefined],
    [48, 'grok-imagine-video', undefined],
    [1, 'gpt-realtime', undefined],
    [14, 'text-embedding-3-small', undefined],
  ]
  for (const [type, model, expected] of cases)
    expect<unknown>([model, composed(type, model)]).toEqual([model, expected])
})

describe('the model that a channel is tested with', () => {
  test('is one that answers in words, before those that cost more', () => {
    expect(chooseTestModel(['dall-e-3', 'whisper-1', 'text-embedding-3-small', 'gpt-4o'])).toBe('gpt-4o')
    expect(chooseTestModel(['dall-e-3', 'tts-1', 'bge-m3'])).toBe('bge-m3')
    expect(chooseTestModel(['whisper-1', 'gpt-realtime'])).toBe('whisper-1')
    expect(chooseTestModel(['dall-e-3', 'perplexity-search', 'sonar'])).toBe('sonar')
    expect(chooseTestModel([])).toBe('gpt-3.5-turbo')
  })
})
