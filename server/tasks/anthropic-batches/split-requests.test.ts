import { expect, test } from 'bun:test'
import { AppError } from '../../errors.ts'
import { RequestSplitter } from './split-requests.ts'

/** What comes of a body that comes in pieces of such a size. */
function split(body: string, size: number): { requests: string[]; around: object | undefined } {
  const splitter = new RequestSplitter()
  const bytes = Buffer.from(body)
  const requests: string[] = []
  for (let at = 0; at < bytes.length; at += size)
    requests.push(...splitter.push(bytes.subarray(at, at + size)))
  return { requests, around: splitter.end() }
}

const sizes = [1, 2, 3, 7, 64, 10_000]

test('requests are told apart, wherever the body is cut', () => {
  const all = [
    { a: 'one, [two] {three}', list: [[1, 2], [{ deep: ']' }]] },
    { quoted: '\\" "requests":[ \\', umlaut: 'ü😀', requests: [1, 2] },
    {},
    'text',
    -1.5e3,
  ]
  for (const space of [undefined, 2])
    for (const size of sizes) {
      const body = JSON.stringify({ before: { requests: [9] }, requests: all, after: ['x'] }, null, space)
      const { requests, around } = split(body, size)
      expect(requests.map(text => JSON.parse(text))).toEqual(all)
      expect(around).toEqual({ before: { requests: [9] }, after: ['x'] })
    }
})

test('none, and no list of them', () => {
  for (const size of sizes) {
    expect(split(' {"requests" : [ ] } ', size)).toEqual({ requests: [], around: {} })
    for (const body of ['{}', '{"requests":5}', '{"requests":{"requests":[1]}}', '{"others":[1]}'])
      expect(split(body, size)).toMatchObject({ requests: [], around: undefined })
  }
})

const broken = [
  ...['', '[]', 'null', '5', '{"requests":[1}', '{"requests":[1]', '{"requests":[1', '{"requests":[1]}}'],
  ...['{"requests":[1,]}', '{"requests":[,1]}', '{"requests":[1,,2]}', '{"requests":[1],"requests":[2]}'],
  ...['["requests":[1]]', '{"requests":[1]} {"requests":[2]}', '{"requests":["a}', '{"a":"requests":[1]}'],
]
test.each(broken)('what is no JSON: %s', body => {
  for (const size of sizes) {
    const thrown = (() => {
      try {
        // What stands between two commas is read by whoever gets it.
        for (const text of split(body, size).requests) JSON.parse(text)
        return undefined
      } catch (error) {
        return error
      }
    })()
    expect(thrown instanceof SyntaxError || (thrown as AppError)?.code === 'relay.invalid-json').toBe(true)
  }
})

test('more than the vendor takes in one request, and in all that stands around them, is not gathered', () => {
  const splitter = new RequestSplitter()
  const some = Buffer.alloc(1024 * 1024, 'a')
  const begin = [...splitter.push(Buffer.from('{"requests":["'))]
  expect(begin).toEqual([])
  expect(() => {
    for (let at = 0; at < 40; at++) for (const text of splitter.push(some)) throw new Error(text)
  }).toThrow(expect.objectContaining({ code: 'request.too-large' }))
  expect(() => [...new RequestSplitter().push(some)]).toThrow(AppError)
})
