import { expect, test } from 'bun:test'
import { blankNullUsage } from './blank-null-usage.ts'

function blanked(text: string): string {
  const bytes = Buffer.from(text)
  blankNullUsage(bytes)
  return bytes.toString()
}

test.each([
  ['{"choices":[{"delta":{}}],"usage":null}', { choices: [{ delta: {} }] }],
  ['{"usage":null,"choices":[]}', { choices: [] }],
  ['{"usage" : null}', {}],
  ['{"id":"c" , "usage" :  null , "obfuscation":"x"}', { id: 'c', obfuscation: 'x' }],
])('%s is as if nobody had asked for usage', (json, rest) => {
  const text = blanked(`data: ${json}\n\n`)
  expect(text).not.toContain('usage')
  expect(text.length).toBe(`data: ${json}\n\n`.length)
  expect(JSON.parse(text.slice('data: '.length))).toEqual(rest)
})

test.each([
  '{"choices":[],"usage":{"prompt_tokens":9}}',
  '{"choices":[{"delta":{"content":"{\\"id\\":1,\\"usage\\":null}"}}]}',
  '{"choices":[{"delta":{"content":"usage"}}],"usages":null,"usage":nothing}',
  '{"usage":null',
  '{"usage":nul',
  '"usage":null',
  ',"usage"',
])('%s stays as it is', json => {
  expect(blanked(json)).toBe(json)
})

test('the usage of every frame in a chunk is blanked', () => {
  const frame = 'data: {"choices":[],"usage":null}\n\n'
  expect(blanked(frame.repeat(3))).toBe(`data: {"choices":[]${' '.repeat(13)}}\n\n`.repeat(3))
})
