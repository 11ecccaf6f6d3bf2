import { expect, test } from 'bun:test'
import type { Reasoning } from '../spec.ts'
import { readModelVersion } from './model-version.ts'
import { writeThinking } from './thinking.ts'

const thoughts = { includeThoughts: true }

test.each<[string, Reasoning | undefined, object | undefined]>([
  ['gemini-2.5-pro', { effort: 'none' }, { thinkingBudget: 128 }],
  ['gemini-2.5-pro', { budget: 0 }, { thinkingBudget: 128 }],
  ['gemini-2.5-pro', { budget: 1 }, { thinkingBudget: 128, ...thoughts }],
  ['gemini-2.5-pro', { budget: 99_999 }, { thinkingBudget: 32_768, ...thoughts }],
  ['gemini-2.5-pro', { effort: 'max' }, { thinkingBudget: 32_768, ...thoughts }],
  ['gemini-2.5-flash', { effort: 'none' }, { thinkingBudget: 0 }],
  ['gemini-2.5-flash', { effort: 'minimal' }, { thinkingBudget: 1024, ...thoughts }],
  ['gemini-2.5-flash', { effort: 'low' }, { thinkingBudget: 1024, ...thoughts }],
  ['gemini-2.5-flash', { effort: 'medium' }, { thinkingBudget: 2048, ...thoughts }],
  ['gemini-2.5-flash', { effort: 'high', visible: false }, { thinkingBudget: 4096 }],
  ['gemini-2.5-flash', { effort: 'xhigh' }, { thinkingBudget: 24_576, ...thoughts }],
  ['gemini-2.5-flash', { budget: -1 }, { thinkingBudget: -1, ...thoughts }],
  ['gemini-2.5-flash', { budget: 7, effort: 'high' }, { thinkingBudget: 7, ...thoughts }],
  ['gemini-2.5-flash-lite', { budget: 0 }, { thinkingBudget: 0 }],
  ['gemini-2.5-flash-lite', { budget: 100 }, { thinkingBudget: 512, ...thoughts }],
  [
    'models/gemini-2.5-flash-lite-preview-09-2025',
    { budget: 30_000 },
    { thinkingBudget: 24_576, ...thoughts },
  ],
  ['gemini-2.5-flash-image', { effort: 'high' }, undefined],
  ['gemini-3.6-flash', { effort: 'none' }, { thinkingLevel: 'MINIMAL' }],
  ['gemini-3.8-flash', { effort: 'none' }, { thinkingLevel: 'LOW' }],
  ['gemini-3.7-flash', { budget: 0 }, { thinkingLevel: 'LOW' }],
  ['gemini-flash-latest', { effort: 'none' }, { thinkingLevel: 'LOW' }],
  ['gemini-flash-lite-latest', { effort: 'none' }, { thinkingLevel: 'MINIMAL' }],
  ['gemini-3.5-flash-lite', { budget: 0 }, { thinkingLevel: 'MINIMAL' }],
  ['gemini-3.1-pro-preview', { effort: 'none' }, { thinkingLevel: 'LOW' }],
  ['gemini-3.6-flash', { effort: 'minimal' }, { thinkingLevel: 'LOW', ...thoughts }],
  ['gemini-3.6-flash', { effort: 'low', visible: false }, { thinkingLevel: 'LOW' }],
  ['gemini-3.6-flash', { effort: 'medium', visible: true }, { thinkingLevel: 'MEDIUM', ...thoughts }],
  ['gemini-3.6-flash', { effort: 'high' }, { thinkingLevel: 'HIGH', ...thoughts }],
  ['gemini-3.6-flash', { effort: 'max' }, { thinkingLevel: 'HIGH', ...thoughts }],
  ['gemini-3.6-flash', { budget: 1024 }, { thinkingLevel: 'LOW', ...thoughts }],
  ['gemini-3.6-flash', { budget: 2048 }, { thinkingLevel: 'MEDIUM', ...thoughts }],
  ['gemini-3.6-flash', { budget: 16_000 }, { thinkingLevel: 'HIGH', ...thoughts }],
  ['gemini-3.6-flash', { budget: -1 }, thoughts],
  ['gemini-3.6-flash', { budget: 16_000, effort: 'low' }, { thinkingLevel: 'LOW', ...thoughts }],
  ['gemini-4-argon', { effort: 'none' }, { thinkingLevel: 'LOW' }],
  ['gemini-4-argon', { effort: 'minimal' }, { thinkingLevel: 'LOW', ...thoughts }],
  ['gemini-4-argon', { effort: 'xhigh' }, { thinkingLevel: 'HIGH', ...thoughts }],
  ['gemini-4-argon', { visible: true }, thoughts],
  ['gemini-4-argon', { visible: false }, undefined],
  ['gemini-2.0-flash', { effort: 'high' }, undefined],
  ['gemini-1.5-pro', { budget: 100 }, undefined],
  ['gemini-pro', { effort: 'high' }, undefined],
  ['my-model', { effort: 'high' }, undefined],
  ['gemini-2.5-pro', undefined, undefined],
])('%s %j', (model, reasoning, expected) => {
  expect<unknown>(writeThinking(reasoning, readModelVersion(model))).toEqual(expected)
})
