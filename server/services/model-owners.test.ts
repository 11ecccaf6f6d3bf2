import { expect, test } from 'bun:test'
import { ownerOf } from './model-owners.ts'

test.each([
  ['gpt-4o-mini', 'OpenAI'],
  ['o3', 'OpenAI'],
  ['openai/gpt-oss-120b', 'OpenAI'],
  ['text-embedding-3-small', 'OpenAI'],
  ['text-embedding-004', ''],
  ['claude-sonnet-4-5', 'Anthropic'],
  ['anthropic.claude-3-haiku-20240307-v1:0', 'Anthropic'],
  ['gemini-2.5-pro', 'Google'],
  ['deepseek-ai/DeepSeek-V3', 'DeepSeek'],
  ['Qwen/Qwen3-32B', 'Alibaba'],
  ['embedding-3', 'Zhipu'],
  ['Embedding-V1', 'Baidu'],
  ['mj_imagine', 'Midjourney'],
  ['kling-v2-6', 'Kuaishou'],
  ['viduq2', 'Vidu'],
  ['meta-llama/Llama-3.3-70B-Instruct', 'Meta'],
  ['our-own', ''],
  ['', ''],
])('%p is made by %p', (model, owner) => expect(ownerOf(model)).toBe(owner))
