import { expect, test } from 'bun:test'
import { priceSentence } from './price-sentence.ts'
import type { LogRow } from './view-logs.ts'

const row: LogRow = {
  ...{
    id: 1,
    created_at: 1,
    type: 2,
    user_id: 1,
    username: 'a',
    token_id: 1,
    token_name: 't',
    model_name: 'm',
  },
  ...{ channel_id: 1, group: 'vip', is_stream: 0, use_time: 1, prompt_tokens: 1, completion_tokens: 1 },
  ...{ quota: 5, cost: null, labels: null, request_id: 'r', content: '', other: '' },
}
const byTokens = '{"model_ratio":1.25,"model_price":-1,"completion_ratio":4,"group_ratio":0.5}'

test.each([
  [{ other: byTokens }, '模型倍率 1.25，补全倍率 4.00，分组倍率 0.50'],
  [
    { other: byTokens, prompt_tokens: 0, completion_tokens: 0 },
    '模型倍率 1.25，补全倍率 4.00，分组倍率 0.50（可能是上游超时）',
  ],
  [{ other: '{"model_ratio":0,"model_price":0.04,"group_ratio":1}' }, '模型价格 0.04，分组倍率 1.00'],
  [
    { other: '{"model_price":0.04,"group_ratio":1,"answer_cache_ratio":0.5}' },
    '模型价格 0.04，分组倍率 1.00，缓存回答倍率 0.50',
  ],
  [
    { other: '{"model_price":0.04,"group_ratio":1,"batch_ratio":0.5}' },
    '模型价格 0.04，分组倍率 1.00，批处理倍率 0.50',
  ],
  [{ other: byTokens, type: 5 }, ''],
  [{ other: '' }, ''],
  [{ other: '{broken' }, ''],
  [{ other: '{"model_ratio":"1","group_ratio":1}' }, ''],
  [{ other: '{"group_ratio":1,"model_ratio":{}}' }, ''],
] as const)('%j reads %p', (fields, sentence) => {
  expect(priceSentence({ ...row, ...fields })).toBe(sentence)
})
