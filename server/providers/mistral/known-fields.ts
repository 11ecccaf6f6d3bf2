import type { KnownFields } from '../kit/edits/keep-known-fields.ts'

/** The vendor answers 422 to any other field, in messages and their parts too. */
export const chatFields: KnownFields = {
  body: new Set([
    'model',
    'messages',
    'stream',
    'temperature',
    'top_p',
    'max_tokens',
    'stop',
    'random_seed',
    'n',
    'presence_penalty',
    'frequency_penalty',
    'response_format',
    'tools',
    'tool_choice',
    'parallel_tool_calls',
    'safe_prompt',
    'prompt_mode',
    'reasoning_effort',
    'prompt_cache_key',
    'prediction',
  ]),
  messageByRole: new Map([
    ['system', new Set(['role', 'content'])],
    ['user', new Set(['role', 'content'])],
    ['assistant', new Set(['role', 'content', 'tool_calls', 'prefix'])],
    ['tool', new Set(['role', 'content', 'tool_call_id', 'name'])],
  ]),
  partByType: new Map([
    ['text', new Set(['type', 'text'])],
    ['image_url', new Set(['type', 'image_url'])],
    ['input_audio', new Set(['type', 'input_audio'])],
    ['document_url', new Set(['type', 'document_url', 'document_name'])],
    ['thinking', new Set(['type', 'thinking', 'signature', 'closed'])],
  ]),
  toolCall: new Set(['id', 'type', 'function', 'index']),
}

export const embeddingFields: ReadonlySet<string> = new Set([
  'model',
  'input',
  'encoding_format',
  'output_dimension',
  'output_dtype',
])
