import { expect, test } from 'bun:test'
import type { JsonObject } from '../../../dialects/json.ts'
import { readFailure } from './read-failure.ts'

const failures: readonly [JsonObject, number, string, string | undefined][] = [
  [
    { error: { message: 'no', type: 'invalid_request_error', param: null, code: null } },
    400,
    'no',
    undefined,
  ],
  [{ error: { message: 'bad key', code: 'invalid_api_key' } }, 401, 'bad key', 'invalid_api_key'],
  [{ error: { code: '1210', message: 'API 调用参数有误' } }, 502, 'API 调用参数有误', '1210'],
  [{ error: { code: 429, message: 'slow', status: 'RESOURCE_EXHAUSTED' } }, 429, 'slow', '429'],
  [
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    529,
    'Overloaded',
    undefined,
  ],
  [{ error: { message: 'gone' }, choices: [] }, 502, 'gone', undefined],
  [{ error: { type: 'odd' } }, 502, 'odd', undefined],
  [{ error: 'text' }, 502, 'text', undefined],
  [
    { code: 514, statusText: 'unAuthApiKey', message: 'Key is invalid', data: null },
    502,
    'Key is invalid',
    '514',
  ],
  [{ code: 403, msg: 'not allowed' }, 403, 'not allowed', '403'],
  [{ code: '500', message: 'broken' }, 500, 'broken', '500'],
]
test.each(failures)('%j is a failure', (body, status, message, code) => {
  expect(readFailure(body)).toMatchObject({ status, message })
  expect(readFailure(body)?.code).toBe(code)
})

const answers: readonly JsonObject[] = [
  { choices: [{ message: {} }], error: { message: 'x' } },
  { choices: [{}], error: null },
  { id: 'resp_1', error: null, output: [{}] },
  { error: {} },
  { error: '' },
  { error: 7 },
  { data: [{ url: 'u' }], code: 500, message: 'x' },
  { code: 200, message: 'ok' },
  { code: 0, message: 'ok' },
  { code: 20000, message: 'Ok', status: true },
  { code: 'x', message: 'y' },
  { code: null, message: null },
  { text: 'a transcription' },
  {},
]
test.each(answers)('%j is none', body => {
  expect(readFailure(body)).toBeUndefined()
})
