import { expect, test } from 'bun:test'
import { mayBeKey } from './may-be-key.ts'

test('keys and codes are told from names', () => {
  const keys = [
    'sk-abc',
    'sk-proj-Ab12-Cd34',
    'AIzaSyA1b2C3d4E5f6G7h8',
    '0123456789abcdef0123456789abcdef',
    'xai-9f8e7d6c5b4a39281706f5e4d3c2b1a0',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    '{"type":"service_account"}',
    'AKIAIOSFODNN7EXAMPLE|wJalrXUtnFEMI',
  ]
  expect(keys.filter(key => !mayBeKey(key))).toEqual([])
  const names = [
    ...['openai', 'openai-production-eu-west-2', 'gpt-4o-2024-08-06-backup', '主渠道 3', '1234567890123456'],
    ...['internationalisation', 'team of olga', 'claude_sonnet_4_5_20250929', 'a.long.name.with.1.dot'],
  ]
  expect(names.filter(mayBeKey)).toEqual([])
})
