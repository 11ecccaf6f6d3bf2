import { describe, expect, test } from 'bun:test'
import { refusedFor } from './refused-for.ts'

const OPENAI = 1

// What vendors say whose fakes do not; the words of those are in the tests of each vendor.
describe('too long', () => {
  test.each([
    "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens.",
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    'The decoder prompt (length 8357) is longer than the maximum model length of 8192.',
    'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it',
    'input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000, decrease input length',
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    'The input token count exceeds the maximum number of tokens allowed (1048576).',
    'Unable to submit request because the input token count is 1200000 but model only supports up to 1048576.',
    'Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)',
    'Total tokens of image and text exceed max message tokens. Request id: 0217',
    'length of prompt_tokens (40000) must be less than max_seq_len (32768).',
    'AiError: The estimated number of input and maximum output tokens (35000) exceeded this model context window limit (24000)',
    'The total length of all messages is too long.',
    '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 258048]',
    'litellm.ContextWindowExceededError: AnthropicException - prompt is too long: 210000 tokens > 200000 maximum',
    'Prompt exceeds max length',
  ])('%s', message => {
    expect(refusedFor(OPENAI, { status: 400, message })).toBe('too-long')
  })

  test.each(['context_length_exceeded', 'string_above_max_length', 'tokens_limit_reached'])('%s', code => {
    expect(refusedFor(OPENAI, { status: 400, message: 'x', code })).toBe('too-long')
    expect(refusedFor(OPENAI, { status: 400, message: 'x', type: code })).toBe('too-long')
  })
})

describe('filtered', () => {
  test.each([
    'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO',
    'Your request was rejected as a result of our safety system.',
    'The request was rejected because it was considered high risk',
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
  ])('%s', message => {
    expect(refusedFor(OPENAI, { status: 400, message })).toBe('filtered')
  })

  test.each(['content_filter', 'InputTextSensitiveContentDetected', 'sensitive_words_detected'])(
    '%s',
    code => {
      expect(refusedFor(OPENAI, { status: 400, message: 'x', code })).toBe('filtered')
    },
  )
})

test.each([
  'max_tokens is too large: 5000. This model supports at most 4096 completion tokens.',
  'Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 40000.',
  'Too many tokens, please wait before trying again.',
  'image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
  'messages: at least one message is required',
  `Invalid value: ${'x'.repeat(400)} prompt is too long`,
  '',
])('neither: %s', message => {
  expect(refusedFor(OPENAI, { status: 400, message })).toBeUndefined()
})

test('a number is its vendor’s own', () => {
  const refusal = { status: 400, message: 'x', code: '1261' }
  expect([16, 26, OPENAI].map(type => refusedFor(type, refusal))).toEqual(['too-long', 'too-long', undefined])
})
