import { describe, expect, test } from 'bun:test'
import { isSampled } from './sampling.ts'
import { readTraceContext } from './trace-context.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

describe('a caller’s trace', () => {
  const read = (traceparent: string, tracestate?: string) =>
    readTraceContext(new Headers({ traceparent, ...(tracestate === undefined ? {} : { tracestate }) }))

  test('is read as it is written', () => {
    const sampled = { traceId, spanId, isSampled: true, state: undefined }
    expect(read(`00-${traceId}-${spanId}-01`)).toEqual(sampled)
    expect(read(`00-${traceId}-${spanId}-03`)).toEqual(sampled)
    expect(read(`00-${traceId}-${spanId}-02`)).toEqual({ ...sampled, isSampled: false })
    // What a later version says besides is nothing that this one has to know.
    expect(read(`01-${traceId}-${spanId}-01-more`)).toEqual(sampled)
    expect(readTraceContext(new Headers())).toBeUndefined()
  })

  test.each([
    '',
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-1`,
    `00-${traceId}-${spanId}-0g`,
    `0-${traceId}-${spanId}-01`,
    `01-${traceId}-${spanId}-01more`,
    `${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
  ])('%j is none', traceparent => expect(read(traceparent)).toBeUndefined())

  test.each([
    ['a=1', 'a=1'],
    ['a=1 ,, b@c=x y', 'a=1,b@c=x y'],
    ['', undefined],
    ['A=1', undefined],
    ['a', undefined],
    ['a=b=c', undefined],
    [Array.from({ length: 33 }, (_, at) => `k${at}=1`).join(','), undefined],
    [`a=${'x'.repeat(300)}`, undefined],
  ])('the notes %j are kept as %j', (given, kept) =>
    expect(read(`00-${traceId}-${spanId}-01`, given)?.state).toBe(kept),
  )
})

describe('which calls leave spans', () => {
  const parent = (sampled: boolean) => ({ traceId, spanId, isSampled: sampled, state: undefined })
  const from = (digit: string) => `${'0'.repeat(16)}${digit.repeat(16)}`

  test('a caller who records decides, where that is wanted', () => {
    for (const ratio of [0, 0.5, 1])
      for (const sampled of [true, false]) {
        expect(isSampled({ ratio, byParent: true }, traceId, parent(sampled))).toBe(sampled)
        expect(isSampled({ ratio, byParent: false }, from('8'), parent(sampled))).toBe(ratio > 0)
      }
  })

  test('otherwise a part of them, by the end of their ids', () => {
    const told = (ratio: number) =>
      [...'0123456789abcdef'].filter(digit => isSampled({ ratio, byParent: true }, from(digit))).length
    expect([0, 0.25, 0.5, 1].map(told)).toEqual([0, 4, 8, 16])
    const ids = Array.from({ length: 4000 }, () => Bun.randomUUIDv7('hex').replaceAll('-', ''))
    const part = ids.filter(id => isSampled({ ratio: 0.25, byParent: false }, id)).length
    expect(part).toBeWithin(800, 1200)
  })
})
