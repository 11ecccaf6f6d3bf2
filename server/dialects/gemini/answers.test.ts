import { describe, expect, test } from 'bun:test'
import type { Asked } from '../dialect.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Finish, NeutralAnswer, NeutralRequest, TokenUsage } from '../spec.ts'
import { gemini } from './index.ts'
import { readUsageMetadata } from './read-usage.ts'
import { writeUsage } from './write-usage.ts'

const request: NeutralRequest = { model: 'alias', stream: false, system: [], messages: [], tools: [] }
const asked: Asked = {
  model: 'alias',
  request: { ...request, reasoning: { visible: true } },
  estimatedInput: 0,
}

const full = `{
  "candidates": [
    {
      "content": {
        "parts": [
          { "text": "**Checking**\\n\\nI need both.", "thought": true },
          { "functionCall": { "name": "weather", "args": { "city": "Zürich" } }, "thoughtSignature": "CiQB0e2Kb1+/=" },
          { "functionCall": { "name": "weather", "args": { "city": "Bern" } } }
        ],
        "role": "model"
      },
      "finishReason": "STOP",
      "index": 0
    }
  ],
  "usageMetadata": {
    "promptTokenCount": 80, "candidatesTokenCount": 30, "totalTokenCount": 160, "thoughtsTokenCount": 50,
    "cachedContentTokenCount": 64,
    "promptTokensDetails": [{ "modality": "TEXT", "tokenCount": 80 }]
  },
  "modelVersion": "gemini-3.6-flash",
  "responseId": "q2kYaYf_L8-xvdIP"
}`

describe('readAnswer', () => {
  test('thoughts, a signature, parallel calls without ids', () => {
    const answer = gemini.readAnswer(JSON.parse(full))
    expect(answer).toEqual({
      id: 'q2kYaYf_L8-xvdIP',
      model: 'gemini-3.6-flash',
      created: answer?.created ?? 0,
      parts: [
        { type: 'thinking', text: '**Checking**\n\nI need both.' },
        {
          type: 'tool-call',
          id: 'call_q2kYaYf_L8-xvdIP_1',
          name: 'weather',
          input: '{"city":"Zürich"}',
          signature: { by: 'gemini', value: 'CiQB0e2Kb1+/=' },
        },
        { type: 'tool-call', id: 'call_q2kYaYf_L8-xvdIP_2', name: 'weather', input: '{"city":"Bern"}' },
      ],
      finish: { reason: 'tools' },
      usage: { input: 80, output: 80, cacheRead: 64, reasoning: 50 },
    })
  })

  test('a blocked prompt', () => {
    const answer = gemini.readAnswer({
      promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
      usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
      modelVersion: 'gemini-2.5-flash',
    })
    expect(answer).toMatchObject({
      parts: [],
      finish: { reason: 'filtered', explanation: 'The prompt was blocked: PROHIBITED_CONTENT' },
      usage: { input: 9, output: 0 },
    })
  })

  test.each<[string, Finish]>([
    ['STOP', { reason: 'stop' }],
    ['MAX_TOKENS', { reason: 'length' }],
    ['SAFETY', { reason: 'filtered', explanation: 'The answer was stopped: SAFETY' }],
    ['MALFORMED_FUNCTION_CALL', { reason: 'broken-call' }],
    ['SOMETHING_NEW', { reason: 'stop' }],
  ])('finish %s without a part', (finishReason, finish) => {
    expect(gemini.readAnswer({ candidates: [{ finishReason }] })).toMatchObject({ parts: [], finish })
  })

  test('sources are of the text, though calls come after it', () => {
    const parts = [{ text: 'a' }, { text: 'b' }, { functionCall: { id: 'c', name: 'f' } }]
    const groundingMetadata = { groundingChunks: [{ web: { uri: 'https://a.test' } }] }
    const answer = gemini.readAnswer({ candidates: [{ content: { parts }, groundingMetadata }] })
    expect(answer?.parts.map(({ type }) => type)).toEqual(['text', 'text', 'citation', 'tool-call'])
  })

  test('what a model has written down of what was said', () => {
    const parts = [{ audioTranscription: { text: 'Good ', speakerLabel: 'spk_1' } }, { text: 'morning' }]
    const answer = gemini.readAnswer({ candidates: [{ content: { parts }, finishReason: 'STOP' }] })
    expect(answer?.parts).toMatchObject([{ text: 'Good ' }, { text: 'morning' }])
  })

  test('sources, media and what is thrown away', () => {
    const answer = gemini.readAnswer({
      createTime: '2026-11-15T00:00:01.5Z',
      candidates: [
        {
          content: {
            parts: [
              { inlineData: { mimeType: 'image/png', data: 'draft' }, thought: true },
              { inlineData: { mimeType: 'image/png', data: 'QQ==' }, thoughtSignature: 's' },
              { executableCode: { code: 'x' }, thoughtSignature: 'own' },
              { toolCall: { toolType: 'GOOGLE_SEARCH_WEB', id: 's' }, thoughtSignature: 'own' },
              { toolResponse: { toolType: 'GOOGLE_SEARCH_WEB', id: 's' }, thoughtSignature: 'own' },
              null,
              { text: 'done', thoughtSignature: 'e' },
            ],
          },
          groundingMetadata: {
            groundingChunks: [{ web: { uri: 'https://a.test', title: 'A' } }, { web: {} }, 3],
          },
        },
      ],
    })
    expect(answer).toMatchObject({
      created: 1794700801,
      parts: [
        { type: 'media', data: 'QQ==', mediaType: 'image/png', signature: 's' },
        { type: 'text', text: 'done', signature: 'e' },
        { type: 'citation', url: 'https://a.test', title: 'A' },
      ],
      finish: { reason: 'stop' },
    })
    expect(answer?.parts).toHaveLength(3)
  })

  test.each<[JsonObject]>([
    [{}],
    [{ error: { code: 500 } }],
    [{ candidates: [] }],
    [{ candidates: [null] }],
    [{ candidates: [{}] }],
    [{ candidates: [{ content: { parts: 'x' } }] }],
    [{ candidates: 'x', usageMetadata: { promptTokenCount: 1 } }],
    [{ promptFeedback: {} }],
  ])('%j is no answer', body => {
    expect(gemini.readAnswer(body)).toBeUndefined()
  })
})

describe('writeAnswer', () => {
  const answer: NeutralAnswer = {
    id: 'r1',
    model: 'claude',
    created: 1,
    parts: [
      { type: 'thinking', text: 'hm', signature: { by: 'anthropic', value: 'Eq' } },
      { type: 'text', text: 'Hi' },
      { type: 'tool-call', id: 'toolu_1', name: 'f', input: '' },
      { type: 'citation', url: 'https://a.test' },
    ],
    finish: { reason: 'tools' },
    usage: { input: 10, output: 7, reasoning: 3, cacheRead: 4 },
  }

  test('shape', () => {
    expect(gemini.writeAnswer(answer, asked)).toEqual({
      candidates: [
        {
          content: {
            parts: [
              { text: 'hm', thought: true, thoughtSignature: btoa('tg1.anthropic.Eq') },
              { text: 'Hi' },
              { functionCall: { id: 'toolu_1', name: 'f', args: {} } },
            ],
            role: 'model',
          },
          finishReason: 'STOP',
          index: 0,
          groundingMetadata: { groundingChunks: [{ web: { uri: 'https://a.test' } }] },
        },
      ],
      usageMetadata: {
        promptTokenCount: 10,
        candidatesTokenCount: 4,
        totalTokenCount: 17,
        cachedContentTokenCount: 4,
        thoughtsTokenCount: 3,
      },
      modelVersion: 'alias',
      responseId: 'r1',
    })
  })

  test('thoughts that were not asked for are left out, with what signs them', () => {
    const hidden = { ...asked, request: { ...request, reasoning: { visible: false } } }
    const only = (text: string) => ({
      ...answer,
      parts: [{ type: 'thinking', text, signature: { by: 'anthropic', value: 'Eq' } } as const],
    })
    const partsOf = (body: JsonObject) => JSON.stringify(body).match(/"parts":(\[.*?\])/)?.[1]
    expect(partsOf(gemini.writeAnswer(only('hm'), hidden))).toBe('[{"text":""}]')
    expect(partsOf(gemini.writeAnswer(only(''), hidden))).toContain('"thoughtSignature"')
  })

  test('a call that cannot be read is a broken call', () => {
    const broken = { ...answer, parts: [{ type: 'tool-call', id: 'x', name: 'f', input: '{"a":' } as const] }
    expect(gemini.writeAnswer(broken, asked)).toMatchObject({
      candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'MALFORMED_FUNCTION_CALL' }],
    })
    for (const [reason, word] of [
      ['length', 'MAX_TOKENS'],
      ['filtered', 'SAFETY'],
    ] as const)
      expect(gemini.writeAnswer({ ...broken, finish: { reason } }, asked)).toMatchObject({
        candidates: [{ finishReason: word }],
      })
  })

  test('an answer of this dialect comes back as it went', () => {
    const read = gemini.readAnswer(JSON.parse(full))
    const again = read && gemini.readAnswer(gemini.writeAnswer(read, asked))
    expect(again).toEqual({ ...read, model: 'alias', created: again?.created ?? 0 } as NeutralAnswer)
  })
})

describe('usage', () => {
  test.each<[Json, TokenUsage | undefined]>([
    [{ promptTokenCount: 5 }, { input: 5, output: 0 }],
    [
      { promptTokenCount: 5, candidatesTokenCount: 2, thoughtsTokenCount: 3, toolUsePromptTokenCount: 7 },
      { input: 12, output: 5, reasoning: 3 },
    ],
    [
      { promptTokenCount: 5, cachedContentTokenCount: 9 },
      { input: 5, output: 0, cacheRead: 5 },
    ],
    [
      { promptTokenCount: 5, cachedContentTokenCount: 'x' },
      { input: 5, output: 0 },
    ],
    [
      {
        promptTokenCount: 50,
        candidatesTokenCount: 40,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 10 },
          { modality: 'AUDIO', tokenCount: 25 },
          { modality: 'IMAGE', tokenCount: 15 },
        ],
        candidatesTokensDetails: [
          { modality: 'IMAGE', tokenCount: 30 },
          { modality: 'AUDIO', tokenCount: -1 },
          null,
        ],
      },
      { input: 50, output: 40, audioInput: 25, imageInput: 15, imageOutput: 30 },
    ],
    [{ trafficType: 'ON_DEMAND' }, undefined],
    [{ promptTokenCount: '5' }, undefined],
    [{ promptTokenCount: -1 }, undefined],
    [{ promptTokenCount: 1.5 }, undefined],
    [{ promptTokenCount: 2 ** 53 }, undefined],
    [{ promptTokenCount: 5, candidatesTokenCount: '7' }, undefined],
    [{ promptTokenCount: 5, thoughtsTokenCount: -7 }, undefined],
    [{ promptTokenCount: Number.MAX_SAFE_INTEGER, toolUsePromptTokenCount: 1 }, undefined],
    [null, undefined],
    ['x', undefined],
  ])('%j', (metadata, expected) => {
    expect(readUsageMetadata(metadata)).toEqual(expected)
    if (expected) expect(readUsageMetadata(writeUsage(expected))).toEqual(expected)
  })
})
