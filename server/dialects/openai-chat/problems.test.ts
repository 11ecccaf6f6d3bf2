import { describe, expect, test } from 'bun:test'
import { ownWords } from '../own-words.ts'
import type { Problem } from '../spec.ts'
import { openaiChat } from './index.ts'
import { readChunkProblem } from './read-problem.ts'

test('an error is read whichever vendor’s form it has', () => {
  const silent = ownWords('upstream.status', { status: 400 })
  expect(silent.message).toBe('The upstream answered with status 400')
  const table: [unknown, Partial<Problem>][] = [
    [
      { error: { message: 'm', type: 't', param: 'p', code: 'c' } },
      { message: 'm', type: 't', param: 'p', code: 'c' },
    ],
    [
      { error: { message: 'm', type: 't', param: null, code: null } },
      { message: 'm', type: 't', param: null, code: null },
    ],
    [{ error: { message: 'm', code: 1210 } }, { message: 'm', code: '1210' }],
    [
      { error: { code: 'content_filter', message: 'm', innererror: { a: 1 } } },
      { message: 'm', code: 'content_filter', details: { a: 1 } },
    ],
    [[{ error: { message: 'm', code: 400 } }], { message: 'm', code: '400' }],
    [{ error: 'm' }, { message: 'm' }],
    [{ message: 'm', request_id: 'r' }, { message: 'm' }],
    [{ detail: 'm' }, { message: 'm' }],
    [
      { detail: [{ loc: ['body', 'messages', 0], msg: 'bad' }, { msg: 'worse' }] },
      { message: 'body.messages.0: bad; worse' },
    ],
    [
      { object: 'error', message: { detail: [{ type: 'extra_forbidden', loc: ['body', 'x'] }] } },
      { message: 'body.x: extra_forbidden' },
    ],
    [
      { object: 'error', message: 'm', type: 't', code: 40001 },
      { message: 'm', type: 't', code: '40001' },
    ],
    [
      { success: false, errors: [{ code: 7003, message: 'm' }], messages: [], result: null },
      { message: 'm', code: '7003' },
    ],
    [{ errors: ['m'] }, { message: 'm' }],
    ['  plain words\n', { message: 'plain words' }],
    ['{"error":{"message":"m"}}', { message: 'm' }],
    ['<html><body>502</body></html>', silent],
    [{ error: { message: '<!DOCTYPE html>' } }, silent],
    ...[
      undefined,
      null,
      '',
      5,
      [],
      {},
      { error: null },
      { error: {} },
      { message: 5 },
      { errors: [null] },
    ].map((body): [unknown, Partial<Problem>] => [body, silent]),
  ]
  for (const [body, expected] of table)
    expect(openaiChat.readProblem(400, body)).toEqual({ status: 400, ...expected } as Problem)
  expect(openaiChat.readProblem(400, 'x'.repeat(9999)).message.length).toBe(2001)
})

test('types and codes by status, unless the problem has its own', () => {
  const table: [number, string, string | null][] = [
    [400, 'invalid_request_error', null],
    [401, 'invalid_request_error', 'invalid_api_key'],
    [402, 'insufficient_quota', 'insufficient_quota'],
    [403, 'permission_error', null],
    [404, 'invalid_request_error', null],
    [413, 'invalid_request_error', null],
    [422, 'invalid_request_error', null],
    [429, 'rate_limit_error', 'rate_limit_exceeded'],
    [500, 'server_error', null],
    [503, 'server_error', null],
    [529, 'server_error', null],
  ]
  for (const [status, type, code] of table)
    expect(openaiChat.writeProblem({ status, message: 'm' })).toEqual({
      error: { message: 'm', type, param: null, code },
    })
  for (const message of ['model: claude-9', 'models/x is not found', 'The model `x` does not exist'])
    expect(openaiChat.writeProblem({ status: 404, message })).toMatchObject({
      error: { code: 'model_not_found' },
    })
  const own = { status: 404, message: 'm', type: 't', param: 'p', code: null }
  expect(openaiChat.writeProblem(own)).toEqual({ error: { message: 'm', type: 't', param: 'p', code: null } })
})

test('an error inside of a stream is one frame, whatever its words', () => {
  expect(openaiChat.writeStreamProblem({ status: 500, message: 'a\nb' })).toBe(
    'data: {"error":{"message":"a\\nb","type":"server_error","param":null,"code":null}}\n\n',
  )
})

describe('the status of an error inside a stream', () => {
  test.each([
    [{ code: 429 }, 429],
    [{ type: 'server_error', code: '503' }, 503],
    [{ type: 'invalid_request_error', code: 'content_filter' }, 400],
    [{ type: 'image_generation_user_error', code: 'moderation_blocked' }, 400],
    [{ code: 'invalid_prompt' }, 400],
    [{ type: 'invalid_request_error', code: 'invalid_api_key' }, 401],
    [{ type: 'invalid_request_error', code: 'model_not_found' }, 404],
    [{ type: 'insufficient_quota' }, 429],
    [{ type: 'overloaded_error' }, 503],
    // A vendor's own number is no status.
    [{ type: 'rate_limit_error', code: 1302 }, 429],
    [{ code: 200 }, 502],
    [{ type: 'server_error', code: null }, 502],
    [{}, 502],
  ])('%j', (error, status) => {
    expect(readChunkProblem('', { error: { message: 'm', ...error } })?.status).toBe(status)
    expect(readChunkProblem('error', { message: 'm', ...error })?.status).toBe(status)
  })

  test('by its own type, and of an ordinary chunk none', () => {
    const flat = { type: 'error', code: 'moderation_blocked', message: 'm' }
    expect(readChunkProblem('', flat)).toMatchObject({ status: 400, message: 'm' })
    expect(readChunkProblem('', { choices: [], error: null })).toBeUndefined()
  })
})
