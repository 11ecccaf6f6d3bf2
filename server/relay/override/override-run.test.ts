import { describe, expect, test } from 'bun:test'
import { mayPass } from '../../../contract/override/headers.ts'
import { readOperations } from '../../../contract/override/read-operations.ts'
import type { JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { OperatorRefusal } from './operator-refusal.ts'
import { OverrideRun } from './override-run.ts'

const begin = (operations: readonly object[], isLimited = false) =>
  new OverrideRun(readOperations({ operations }), { model: 'gpt-4o-mini', askedModel: 'cheap', isLimited })
const run = (body: JsonObject, ...operations: object[]): JsonObject => begin(operations).run(body)

describe('an operation', () => {
  test.each<[object, JsonObject, JsonObject]>([
    [{ mode: 'set', path: 'a', value: 1 }, {}, { a: 1 }],
    [{ mode: 'set', path: 'a', value: 1, keep_origin: true }, { a: 0 }, { a: 0 }],
    [{ mode: 'set', path: 'a.b.c', value: [1] }, { a: { x: 1 } }, { a: { x: 1, b: { c: [1] } } }],
    [{ mode: 'set', path: 'a.b', value: 1 }, { a: 'text' }, { a: 'text' }],
    [{ mode: 'set', path: 'a.b', value: 1 }, { a: null }, { a: { b: 1 } }],
    [{ mode: 'set', path: 'a.-1', value: 9 }, { a: [1, 2, 3] }, { a: [1, 2, 9] }],
    [{ mode: 'set', path: 'a.3', value: 9 }, { a: [1, 2, 3] }, { a: [1, 2, 3, 9] }],
    [{ mode: 'set', path: 'a.99', value: 9 }, { a: [1] }, { a: [1] }],
    [{ mode: 'set', path: 'a.0.b', value: 9 }, {}, {}],
    [{ mode: 'set', path: 'a\\.b', value: 9 }, {}, { 'a.b': 9 }],
    [{ mode: 'delete', path: 'a.b' }, { a: { b: 1, c: 2 } }, { a: { c: 2 } }],
    [{ mode: 'delete', path: 'a.0' }, { a: [1, 2] }, { a: [2] }],
    [{ mode: 'delete', path: 'a.*.b' }, { a: [{ b: 1 }, { c: 1 }, 5] }, { a: [{}, { c: 1 }, 5] }],
    [{ mode: 'delete', path: 'a.b.c' }, {}, {}],
    [{ mode: 'move', from: 'a', to: 'b.c' }, { a: 1 }, { b: { c: 1 } }],
    [{ mode: 'move', from: 'a', to: 'a.b' }, { a: { x: 1 } }, { a: { b: { x: 1 } } }],
    [
      { mode: 'move', from: 'a', to: 'b', keep_origin: true },
      { a: 1, b: 2 },
      { a: 1, b: 2 },
    ],
    [{ mode: 'copy', from: 'a.0', to: 'b' }, { a: [{ x: 1 }] }, { a: [{ x: 1 }], b: { x: 1 } }],
    [{ mode: 'copy', from: 'zzz', to: 'b' }, { a: 1 }, { a: 1 }],
    [{ mode: 'append', path: 'a', value: 3 }, { a: [1] }, { a: [1, 3] }],
    [{ mode: 'append', path: 'a', value: [3, 4] }, { a: [1] }, { a: [1, 3, 4] }],
    [{ mode: 'prepend', path: 'a', value: 3 }, { a: [1] }, { a: [3, 1] }],
    [{ mode: 'append', path: 'a', value: '!' }, { a: 'hi' }, { a: 'hi!' }],
    [{ mode: 'prepend', path: 'a', value: '¡' }, { a: 'hi' }, { a: '¡hi' }],
    [{ mode: 'append', path: 'a', value: { x: 1 } }, { a: { x: 0, y: 0 } }, { a: { x: 1, y: 0 } }],
    [
      { mode: 'append', path: 'a', value: { x: 1, z: 1 }, keep_origin: true },
      { a: { x: 0 } },
      { a: { x: 0, z: 1 } },
    ],
    [{ mode: 'append', path: 'a', value: [1] }, {}, { a: [1] }],
    [{ mode: 'append', path: 'a', value: 'x' }, { a: 5 }, { a: 5 }],
    [{ mode: 'trim_prefix', path: 'a', value: 'x-' }, { a: 'x-x-b' }, { a: 'x-b' }],
    [{ mode: 'trim_suffix', path: 'a', value: '-x' }, { a: 'b-x' }, { a: 'b' }],
    [{ mode: 'ensure_prefix', path: 'a', value: 'x-' }, { a: 'b' }, { a: 'x-b' }],
    [{ mode: 'ensure_prefix', path: 'a', value: 'x-' }, { a: 'x-b' }, { a: 'x-b' }],
    [{ mode: 'ensure_suffix', path: 'a', value: '-x' }, { a: 'b' }, { a: 'b-x' }],
    [{ mode: 'trim_space', path: 'a' }, { a: '\n b ' }, { a: 'b' }],
    [{ mode: 'to_lower', path: 'a.*' }, { a: ['A', 5, 'B'] }, { a: ['a', 5, 'b'] }],
    [{ mode: 'to_upper', path: 'a' }, { a: 'b' }, { a: 'B' }],
    [{ mode: 'replace', path: 'a', from: '.', to: '$&' }, { a: 'x.y.z' }, { a: 'x$&y$&z' }],
    [{ mode: 'replace', path: 'a', from: '.' }, { a: 'x.y' }, { a: 'xy' }],
    [{ mode: 'regex_replace', path: 'a', from: '\\d+', to: '#' }, { a: 'a1b22' }, { a: 'a#b#' }],
    [{ mode: 'to_upper', path: 'a' }, { a: { b: 1 } }, { a: { b: 1 } }],
    [
      { mode: 'prune_objects', value: 'thinking' },
      { m: [{ c: [{ type: 'thinking' }, { type: 'text' }] }, { type: 'thinking' }] },
      { m: [{ c: [{ type: 'text' }] }] },
    ],
    [
      { mode: 'prune_objects', path: 'a', value: { type: 'x', on: true } },
      { a: [{ type: 'x' }, { type: 'x', on: true }], b: [{ type: 'x', on: true }] },
      { a: [{ type: 'x' }], b: [{ type: 'x', on: true }] },
    ],
  ])('%j on %j', (operation, body, expected) => {
    const before = structuredClone(body)
    expect(run(body, operation)).toEqual(expected)
    // Another channel may be asked for the same.
    expect(body).toEqual(before)
  })

  test('comes after the one before it, and leaves what it does not change as it was', () => {
    const body = { a: 'x', messages: [{ role: 'user' }] }
    const steps = [
      { mode: 'set', path: 'a', value: 'b' },
      { mode: 'copy', from: 'a', to: 'c' },
      { mode: 'ensure_suffix', path: 'c', value: '!' },
    ]
    expect(begin(steps).edits(body)).toEqual({ a: 'b', c: 'b!' })
    expect(begin([{ mode: 'delete', path: 'a' }]).edits(body)).toEqual({ a: undefined })
    expect(begin([{ mode: 'delete', path: 'zzz' }]).edits(body)).toBeUndefined()
  })
})

describe('a condition', () => {
  const holds = (conditions: readonly object[], logic?: string): boolean => {
    const body = { a: { n: 5, s: 'hello', l: ['x'], nil: null }, m: [1, 2] }
    return run(body, { mode: 'set', path: 'done', value: true, conditions, logic }).done === true
  }
  test.each<[string, string, unknown, boolean]>([
    ['model', 'full', 'gpt-4o-mini', true],
    ['original_model', 'full', 'cheap', true],
    ['a.s', 'full', 'hell', false],
    ['a.s', 'prefix', 'hell', true],
    ['a.s', 'suffix', 'llo', true],
    ['a.s', 'contains', 'ell', true],
    ['a.l', 'contains', 'x', true],
    ['a.nil', 'full', null, true],
    ['a.n', 'full', 5, true],
    ['a.n', 'full', '5', false],
    ['a.n', 'gt', 5, false],
    ['a.n', 'gte', 5, true],
    ['a.n', 'lt', 6, true],
    ['a.n', 'lte', 4, false],
    ['a.s', 'gt', 1, false],
    ['m.-1', 'full', 2, true],
    ['zzz', 'full', 1, false],
    ['a.constructorx', 'full', 1, false],
  ])('%s %s %p', (path, mode, value, expected) => {
    expect(holds([{ path, mode, value }])).toBe(expected)
    if (path !== 'zzz' && !path.endsWith('x'))
      expect(holds([{ path, mode, value, invert: true }])).toBe(!expected)
  })

  test('may hold where there is nothing, and several go together', () => {
    const yes = { path: 'a.n', mode: 'full', value: 5 }
    const no = { ...yes, value: 6 }
    expect(holds([{ path: 'zzz', mode: 'full', value: 1, pass_missing_key: true }])).toBe(true)
    expect(holds([{ path: 'zzz', mode: 'full', value: 1, invert: true }])).toBe(false)
    expect([
      holds([yes, no]),
      holds([yes, no], 'OR'),
      holds([yes, no], 'AND'),
      holds([yes, yes], 'AND'),
    ]).toEqual([true, true, false, true])
  })
})

describe('what a price was reckoned from', () => {
  const config = {
    mode: 'set',
    path: 'generationConfig',
    value: { candidateCount: 8, maxOutputTokens: 9000 },
  }
  test.each<[object[], JsonObject, JsonObject]>([
    [[{ mode: 'set', path: 'max_tokens', value: 9000 }], { max_tokens: 100 }, { max_tokens: 100 }],
    [[{ mode: 'set', path: 'max_tokens', value: '9000' }], { max_tokens: 100 }, { max_tokens: 100 }],
    [[{ mode: 'set', path: 'max_tokens', value: 50 }], { max_tokens: 100 }, { max_tokens: 50 }],
    [
      [{ mode: 'set', path: 'max_completion_tokens', value: 9000 }],
      { max_tokens: 100 },
      { max_tokens: 100, max_completion_tokens: 100 },
    ],
    [
      [{ mode: 'move', from: 'max_tokens', to: 'max_completion_tokens' }],
      { max_tokens: 100 },
      { max_completion_tokens: 100 },
    ],
    [[config], { generationConfig: { maxOutputTokens: 10 } }, { generationConfig: { maxOutputTokens: 10 } }],
    [
      [config],
      { generationConfig: { maxOutputTokens: 10, candidateCount: 2 } },
      { generationConfig: { maxOutputTokens: 10, candidateCount: 2 } },
    ],
    [
      [{ mode: 'delete', path: 'generationConfig' }],
      { generationConfig: { maxOutputTokens: 10, candidateCount: 2, topK: 1 } },
      { generationConfig: { maxOutputTokens: 10, candidateCount: 2 } },
    ],
    [
      [{ mode: 'copy', from: 'metadata', to: 'generation_config' }],
      { metadata: { candidate_count: 8, maxOutputTokens: 9 }, generationConfig: { maxOutputTokens: 5 } },
      {
        metadata: { candidate_count: 8, maxOutputTokens: 9 },
        generationConfig: { maxOutputTokens: 5 },
        generation_config: { maxOutputTokens: 5 },
      },
    ],
  ])('stays: %j', (operations, body, expected) => {
    expect(begin(operations, true).run(body)).toEqual(expected)
  })

  test('is no limit where nobody has set one', () => {
    const raise = { mode: 'set', path: 'max_tokens', value: 9000 }
    expect(run({ max_tokens: 4096 }, raise)).toEqual({ max_tokens: 9000 })
    expect(run({ generationConfig: { topK: 1 } }, config)).toEqual({
      generationConfig: { maxOutputTokens: 9000 },
    })
  })
})

describe('what a stranger sends', () => {
  const tooLong = (act: () => unknown): void => {
    try {
      act()
    } catch (error) {
      expect(error instanceof AppError && error.code).toBe('field.too-long-for-channel')
      return
    }
    throw new Error('it was taken')
  }

  test('cannot make a request grow without end', () => {
    const big = 'a'.repeat(1_000_000)
    tooLong(() => run({ a: big }, { mode: 'replace', path: 'a', from: 'a', to: 'b'.repeat(4000) }))
    tooLong(() => run({ a: big }, { mode: 'regex_replace', path: 'a', from: 'a', to: 'b'.repeat(4000) }))
    const many = Array.from({ length: 100_000 }, () => ({}))
    tooLong(() => run({ a: many }, { mode: 'set', path: 'a.*.x', value: 'y'.repeat(1000) }))
    tooLong(() =>
      run({ a: many.map(() => 'x') }, { mode: 'ensure_suffix', path: 'a.*', value: 'y'.repeat(1000) }),
    )
    const doubling = Array.from({ length: 64 }, (_, at) => ({ mode: 'copy', from: 'a', to: `a.l${at}` }))
    tooLong(() => run({ a: { x: 'y' } }, ...doubling))
  })

  test('cannot make a pattern look for ever', () => {
    tooLong(() =>
      run({ a: 'a'.repeat(5_000_000) }, { mode: 'regex_replace', path: 'a', from: '(a+)+b', to: '' }),
    )
  })

  test('is not followed into the language, nor too deep', () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":true},"a":{"__proto__":{"x":1},"constructor":1}}')
    const next = run(
      hostile,
      { mode: 'set', path: 'a.b', value: 1 },
      { mode: 'set', path: 'toString.x', value: 1 },
    )
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    expect(JSON.stringify(next)).toContain('"toString":{"x":1}')
    expect(run({}, { mode: 'copy', from: 'toString', to: 'a' })).toEqual({})
    let deep: JsonObject = { type: 'thinking' }
    for (let at = 0; at < 5000; at++) deep = { d: [deep] }
    expect(() => run(deep, { mode: 'prune_objects', value: 'thinking' })).not.toThrow()
  })

  test('with many members is gone through once', () => {
    const wide = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`k${at}`, 'V']))
    const next = run({ a: wide }, { mode: 'to_lower', path: 'a.*' }, { mode: 'prune_objects', value: 'x' })
    expect(Object.values(next.a as JsonObject).every(value => value === 'v')).toBe(true)
  })
})

test('an error is the operator’s own word', () => {
  const operation = {
    mode: 'return_error',
    value: { message: 'Not here.', status_code: 451, code: 'no', type: 't' },
  }
  try {
    run({}, { ...operation, conditions: [{ path: 'x', mode: 'full', value: 1 }] }, operation)
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorRefusal)
    expect((error as OperatorRefusal).problem).toEqual({
      ...{ status: 451, message: 'Not here.', code: 'no', param: null, type: 't' },
    })
    return
  }
  throw new Error('it was taken')
})

test('headers are set, left out, copied, moved and passed, and those of a stranger only where they may be', () => {
  const client = new Headers({
    authorization: 'Bearer own',
    'x-tag': 'blue',
    'x-other': 'red',
    cookie: 'c=1',
  })
  const headers: Record<string, string> = {
    authorization: 'Bearer channel',
    'user-agent': 'Tollgate',
    'x-old': '1',
  }
  const work = begin([
    { mode: 'set_header', path: 'X-New', value: 'k={api_key}' },
    { mode: 'set_header', path: 'X-Old', value: '2', keep_origin: true },
    { mode: 'delete_header', path: 'User-Agent' },
    { mode: 'copy_header', from: 'X-Tag', to: 'X-Copied' },
    { mode: 'copy_header', from: 'cookie', to: 'x-cookie' },
    { mode: 'move_header', from: 'authorization', to: 'x-channel-auth' },
    { mode: 'copy_header', from: 'authorization', to: 'x-client-auth' },
    { mode: 'pass_headers', value: ['x-other', 'authorization', 'cookie', 'x-absent'] },
    {
      mode: 'set_header',
      path: 'x-never',
      value: '1',
      conditions: [{ path: 'zzz', mode: 'full', value: 1 }],
    },
  ])
  work.run({})
  work.editHeaders(
    headers,
    name => (mayPass(name) ? client.get(name) : null),
    text => text.replace('{api_key}', 'K'),
  )
  expect(headers).toEqual({
    ...{
      'x-new': 'k=K',
      'x-old': '1',
      'x-copied': 'blue',
      'x-channel-auth': 'Bearer channel',
      'x-other': 'red',
    },
  })
})
