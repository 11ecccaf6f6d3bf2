import { describe, expect, test } from 'bun:test'
import { ownWords } from '../own-words.ts'
import type { Problem } from '../spec.ts'
import { anthropic } from './index.ts'

describe('reading', () => {
  const table: readonly [number, unknown, Problem][] = [
    [
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'max_tokens: Field required' },
        request_id: 'req_1',
      },
      { status: 400, message: 'max_tokens: Field required', code: 'invalid_request_error' },
    ],
    [
      529,
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      { status: 529, message: 'Overloaded', code: 'overloaded_error' },
    ],
    [
      429,
      { error: { message: 'Slow', type: 'requests', param: null, code: 'rate_limit_exceeded' } },
      { status: 429, message: 'Slow', type: 'requests', code: 'rate_limit_exceeded' },
    ],
    [
      403,
      [{ error: { code: 403, message: 'No', status: 'PERMISSION_DENIED' } }],
      { status: 403, message: 'No', code: 'PERMISSION_DENIED' },
    ],
    [
      403,
      { message: 'The security token is invalid.' },
      { status: 403, message: 'The security token is invalid.' },
    ],
    [500, { error: 'broken' }, { status: 500, message: 'broken' }],
    [502, 'bad gateway\n', { status: 502, message: 'bad gateway' }],
    [502, '<html>nginx</html>', { status: 502, ...ownWords('upstream.status', { status: 502 }) }],
    [500, null, { status: 500, ...ownWords('upstream.status', { status: 500 }) }],
    [
      500,
      { error: { message: 5, type: [] } },
      { status: 500, ...ownWords('upstream.status', { status: 500 }) },
    ],
    [500, 'x'.repeat(9999), { status: 500, message: 'x'.repeat(500) }],
  ]
  test.each(table)('%d %j', (status, body, problem) => {
    expect(anthropic.readProblem(status, body)).toEqual(problem)
  })
})

describe('writing', () => {
  const table: readonly [Problem, string][] = [
    ...(
      [
        [400, 'invalid_request_error'],
        [401, 'authentication_error'],
        [402, 'billing_error'],
        [403, 'permission_error'],
        [404, 'not_found_error'],
        [413, 'request_too_large'],
        [422, 'invalid_request_error'],
        [429, 'rate_limit_error'],
        [500, 'api_error'],
        [502, 'api_error'],
        [503, 'overloaded_error'],
        [504, 'timeout_error'],
        [529, 'overloaded_error'],
      ] as const
    ).map(([status, type]): [Problem, string] => [{ status, message: 'm' }, type]),
    [{ status: 500, message: 'm', code: 'overloaded_error' }, 'overloaded_error'],
    [{ status: 404, message: 'm', code: 'model_not_found' }, 'not_found_error'],
    [{ status: 400, message: 'm', code: null }, 'invalid_request_error'],
  ]
  test.each(table)('%j', (problem, type) => {
    expect(anthropic.writeProblem(problem)).toEqual({
      type: 'error',
      error: { type, message: 'm' },
      request_id: null,
    })
  })
})

test('the request that a message names', () => {
  const message = 'said (request id: theirs) (request id: 01a1e1b7-d337)'
  expect(anthropic.writeProblem({ status: 400, message }).request_id).toBe('01a1e1b7-d337')
})

test('the frame that keeps a connection open', () => {
  expect(anthropic.keepAlive).toBe('event: ping\ndata: {"type": "ping"}\n\n')
})
