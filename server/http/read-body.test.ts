import { describe, expect, test } from 'bun:test'
import { AppError } from '../errors.ts'
import { readForm, readJson, readText } from './read-body.ts'

const LIMIT = 20

const sent = (body: BodyInit, headers: Record<string, string> = {}): Request =>
  new Request('http://localhost/', { method: 'POST', body, headers })

/** Nobody knows beforehand how much it will be. */
const unannounced = (...parts: string[]): ReadableStream<Uint8Array> => {
  const left = [...parts]
  return new ReadableStream({
    pull(controller) {
      const part = left.shift()
      if (part === undefined) controller.close()
      else controller.enqueue(new TextEncoder().encode(part))
    },
  })
}

async function codeOf(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof AppError ? error.code : `not refused: ${error}`
}

describe('a body', () => {
  test('may be as long as the limit, and not a byte longer', async () => {
    expect(await readText(sent('x'.repeat(LIMIT)), LIMIT)).toBe('x'.repeat(LIMIT))
    expect(await codeOf(readText(sent('x'.repeat(LIMIT + 1)), LIMIT))).toBe('request.too-large')
    // Letters are not bytes.
    expect(await codeOf(readText(sent('天地玄黄宇宙洪'), LIMIT))).toBe('request.too-large')
  })

  test('is counted as it comes where its length is not told', async () => {
    expect(await readText(sent(unannounced('天', '地'.repeat(5))), LIMIT)).toBe('天地地地地地')
    const parts = Array.from({ length: 5 }, () => 'x'.repeat(5))
    expect(await codeOf(readText(sent(unannounced(...parts)), LIMIT))).toBe('request.too-large')
  })

  test('is not waited for where it says itself that it is too long', async () => {
    const never = new ReadableStream<Uint8Array>()
    const announced = sent(never, { 'content-length': String(LIMIT + 1) })
    expect(await codeOf(readText(announced, LIMIT))).toBe('request.too-large')
  })

  test('is not looked at where none is wanted', async () => {
    expect(await readText(sent('something'), 0)).toBe('')
    expect(await readText(new Request('http://localhost/'), LIMIT)).toBe('')
  })

  test('that is no text is refused instead of guessed at', async () => {
    expect(await codeOf(readText(sent(new Uint8Array([0x22, 0xff, 0x22])), LIMIT))).toBe('request.invalid')
  })
})

describe('JSON', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['', undefined],
    [' \n', undefined],
  ])('%j is read', async (text, value) => {
    expect(await readJson(sent(text), LIMIT)).toEqual(value)
  })

  test.each(['{', '{"a":1}}', '{"a":"\\u0000"}'])('%j is refused', async text => {
    expect(await codeOf(readJson(sent(text), LIMIT))).toBe('request.invalid')
  })
})

test('of a form the fields in the address come first, and none takes the place of another', async () => {
  const fields = await readForm(sent('a=2&b=%E5%A4%A9'), 'a=1&c=3', LIMIT)
  expect(fields).toEqual([
    ['a', '1'],
    ['c', '3'],
    ['a', '2'],
    ['b', '天'],
  ])
})
