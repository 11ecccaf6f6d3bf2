import { describe, expect, test } from 'bun:test'
import { ownWords } from '../own-words.ts'
import type { Problem } from '../spec.ts'
import { gemini } from './index.ts'

const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' }
const quota = { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId: 'secret' }] }
const badKey = {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason: 'API_KEY_INVALID',
  domain: 'googleapis.com',
}

describe('readProblem', () => {
  test.each<[number, unknown, Problem]>([
    [
      400,
      { error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT', details: [badKey] } },
      { status: 400, message: 'API key not valid.', code: 'API_KEY_INVALID' },
    ],
    [
      429,
      [{ error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED', details: [quota, retry] } }],
      { status: 429, message: 'Quota', code: 'RESOURCE_EXHAUSTED', retryAfter: 35, details: [retry] },
    ],
    [500, { error: 'boom' }, { status: 500, message: 'boom', code: null }],
    [
      502,
      '<html>proxy.internal</html>',
      { status: 502, ...ownWords('upstream.status', { status: 502 }), code: null },
    ],
    [500, null, { status: 500, ...ownWords('upstream.status', { status: 500 }), code: null }],
    [500, [], { status: 500, ...ownWords('upstream.status', { status: 500 }), code: null }],
    [
      429,
      {
        error: {
          message: 7,
          status: {},
          details: [null, { retryDelay: 'soons' }, { retryDelay: 's' }, { retryDelay: '-1s' }],
        },
      },
      { status: 429, ...ownWords('upstream.status', { status: 429 }), code: null },
    ],
  ])('%p %j', (status, body, expected) => {
    expect(gemini.readProblem(status, body)).toEqual(expected)
  })
})

describe('writeProblem', () => {
  test.each([
    [400, 'INVALID_ARGUMENT'],
    [401, 'UNAUTHENTICATED'],
    [402, 'PERMISSION_DENIED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [413, 'INVALID_ARGUMENT'],
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [502, 'UNAVAILABLE'],
    [503, 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED'],
    [529, 'UNAVAILABLE'],
    [599, 'INTERNAL'],
  ])('%p', (status, word) => {
    expect(gemini.writeProblem({ status, message: 'm', code: 'our_code' })).toEqual({
      error: { code: status, message: 'm', status: word },
    })
  })

  test('Google’s own word and details are kept', () => {
    const problem: Problem = { status: 400, message: 'm', code: 'FAILED_PRECONDITION', details: [retry] }
    expect(gemini.writeProblem(problem)).toEqual({
      error: { code: 400, message: 'm', status: 'FAILED_PRECONDITION', details: [retry] },
    })
  })
})
