import { describe, expect, test } from 'bun:test'
import { promptHeader } from '../prompts.ts'
import { mayPass, readHeaderRules } from './headers.ts'
import { OperationFault, readOperations } from './read-operations.ts'

const faultOf = (...operations: unknown[]): unknown[] | undefined => {
  try {
    readOperations({ operations })
  } catch (error) {
    if (error instanceof OperationFault) return [error.why, error.at, error.detail]
    throw error
  }
  return undefined
}
const good = { mode: 'delete', path: 'user' }

describe('operations', () => {
  test.each<[object]>([
    [{ mode: 'set', path: 'temperature', value: 0.5, keep_origin: true }],
    [{ mode: 'set', path: 'messages.-1.content', value: null }],
    [{ mode: 'move', from: 'max_tokens', to: 'max_completion_tokens' }],
    [{ mode: 'copy', from: 'model', to: 'metadata.model' }],
    [{ mode: 'delete', path: 'messages.*.reasoning_content' }],
    [{ mode: 'delete', path: 'tools.*.function.strict' }],
    [{ mode: 'append', path: 'tools', value: { type: 'function' } }],
    [{ mode: 'regex_replace', path: 'user', from: '^u-', to: '' }],
    [{ mode: 'prune_objects', value: 'thinking' }],
    [{ mode: 'prune_objects', path: 'messages', value: { where: { type: 'thinking' } } }],
    [{ mode: 'return_error', value: { message: 'no', status_code: 403, code: 'not_here' } }],
    [{ mode: 'pass_headers', value: 'X-One, x-two' }],
    [{ ...good, conditions: [{ path: 'model', mode: 'prefix', value: 'gpt' }], logic: 'AND' }],
  ])('that can be obeyed: %j', operation => {
    expect(faultOf(operation)).toBeUndefined()
  })

  test.each<[unknown, ...string[]]>([
    ['set', 'kind', 'operations[1]'],
    [{ mode: 'sync_fields' }, 'mode', 'operations[1].mode', 'sync_fields'],
    [{ mode: 'set', path: 'a' }, 'kind', 'operations[1].value'],
    [{ mode: 'set', value: 1 }, 'path', 'operations[1].path', ''],
    [{ mode: 'set', path: 'a..b', value: 1 }, 'path', 'operations[1].path', 'a..b'],
    [{ mode: 'set', path: 'a.#.b', value: 1 }, 'path', 'operations[1].path', 'a.#.b'],
    [{ mode: 'set', path: 'a', value: 1, keep_origin: 'yes' }, 'kind', 'operations[1].keep_origin'],
    ...['__proto__.x', 'a.constructor.b', 'prototype', 'messages.0.__proto__'].map(
      (path): [unknown, ...string[]] => [{ mode: 'set', path, value: 1 }, 'path', 'operations[1].path', path],
    ),
    [{ mode: 'copy', from: 'a', to: '__proto__.b' }, 'path', 'operations[1].to', '__proto__.b'],
    // What prices rest on.
    ...['stream', 'model', 'n', 'generationConfig.candidateCount', 'background', '*', 'stream.x'].map(
      (path): [unknown, ...string[]] => [
        { mode: 'set', path, value: true },
        'guarded',
        'operations[1].path',
        path,
      ],
    ),
    [{ mode: 'delete', path: 'max_tokens' }, 'guarded', 'operations[1].path', 'max_tokens'],
    [{ mode: 'move', from: 'max_tokens', to: 'metadata.max' }, 'guarded', 'operations[1].from', 'max_tokens'],
    [{ mode: 'move', from: 'stream', to: 'metadata.s' }, 'guarded', 'operations[1].from', 'stream'],
    [{ mode: 'copy', from: 'metadata.x', to: 'service_tier' }, 'guarded', 'operations[1].to', 'service_tier'],
    [{ mode: 'move', from: 'metadata', to: 'tools' }, 'guarded', 'operations[1].to', 'tools'],
    [{ mode: 'replace', path: 'service_tier', from: 'a' }, 'guarded', 'operations[1].path', 'service_tier'],
    [{ mode: 'trim_prefix', path: 'a', value: '' }, 'kind', 'operations[1].value'],
    [{ mode: 'replace', path: 'a', from: '', to: 'b' }, 'kind', 'operations[1].from'],
    [{ mode: 'regex_replace', path: 'a', from: '(a' }, 'pattern', 'operations[1].from', '('],
    [{ mode: 'regex_replace', path: 'a', from: '(a)\\1' }, 'pattern', 'operations[1].from', '\\1'],
    [{ mode: 'prune_objects', value: {} }, 'kind', 'operations[1].value'],
    [{ mode: 'return_error', value: ' ' }, 'kind', 'operations[1].value.message'],
    [
      { mode: 'return_error', value: { message: 'm', status_code: 200 } },
      'kind',
      'operations[1].value.status_code',
    ],
    [{ mode: 'return_error', value: { message: 'm', code: 'a\nb' } }, 'kind', 'operations[1].value.code'],
    [{ mode: 'set_header', path: 'x y', value: 'a' }, 'path', 'operations[1].path'],
    [{ mode: 'set_header', path: 'content-length', value: '5' }, 'path', 'operations[1].path'],
    [{ mode: 'set_header', path: 'x', value: 'a\r\nb: c' }, 'kind', 'operations[1].value'],
    [{ mode: 'pass_headers', value: [] }, 'kind', 'operations[1].value'],
    [{ ...good, conditions: {} }, 'kind', 'operations[1].conditions'],
    [{ ...good, conditions: [good] }, 'mode', 'operations[1].conditions[0].mode', 'delete'],
    [
      { ...good, conditions: [{ path: 'a', mode: 'gt', value: '5' }] },
      'kind',
      'operations[1].conditions[0].value',
    ],
    [
      { ...good, conditions: [{ path: '', mode: 'full', value: 5 }] },
      'path',
      'operations[1].conditions[0].path',
    ],
    [{ ...good, conditions: [], logic: 'XOR' }, 'kind', 'operations[1].logic'],
    [{ ...good, conditions: Array(17).fill(good) }, 'many', 'operations[1].conditions', '16'],
  ])('that cannot: %j', (operation, why, at, detail = '') => {
    expect(faultOf(good, operation)).toEqual([why, at, detail])
  })

  test('are a list, alone, and not without end', () => {
    expect(() => readOperations({ operations: {} })).toThrow('operations: kind')
    expect(() => readOperations({ operations: [], x: 1 } as never)).toThrow('operations: alone x')
    expect(faultOf(...Array(65).fill(good))).toEqual(['many', 'operations', '64'])
  })
})

describe('headers', () => {
  const sent = [
    'authorization',
    'x-api-key',
    'cookie',
    'x-tag',
    'user-agent',
    'x-trace-id',
    'x-forwarded-for',
  ]
  const passing = (override: object) => readHeaderRules({ ...override }, () => {}).passing?.(sent)

  test('pass by name, and never those that prove who somebody is', () => {
    expect(passing({ 'x-a': '1' })).toBeUndefined()
    expect(passing({ '*': '' })).toEqual(['x-tag', 'user-agent', 'x-trace-id'])
    expect(passing({ 're:^X-TR': '' })).toEqual(['x-trace-id'])
    expect(passing({ 're:.*': '' })).toEqual(['x-tag', 'user-agent', 'x-trace-id'])
    for (const name of [
      ...['proxy-authorization', 'x-auth-token', 'api-key', 'x-goog-api-key', 'mj-api-secret', 'set-cookie'],
      ...['host', 'content-length', 'accept-encoding', 'connection', 'te', 'transfer-encoding', 'upgrade'],
      ...[
        'x-forwarded-proto',
        'forwarded',
        'x-real-ip',
        'cf-connecting-ip',
        'sec-websocket-protocol',
        'origin',
      ],
      promptHeader.name,
    ])
      expect([name, mayPass(name)]).toEqual([name, false])
  })

  test('that cannot be sent are named', () => {
    const faults: string[] = []
    readHeaderRules({ 'a b': 'x', 're:(': '', 'x-line': 'a\nb', good: 'yes' }, name => faults.push(name))
    expect(faults).toEqual(['a b', 're:(', 'x-line'])
  })

  test('a pattern that takes too long on long names lets none pass', () => {
    const { passing: select } = readHeaderRules({ 're:(x+x+)+y': '' }, () => {})
    expect(select?.(['x'.repeat(100_000), 'xxy'])).toEqual([])
    expect(select?.(['xxy'])).toEqual(['xxy'])
  })
})
