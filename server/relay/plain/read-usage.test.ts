import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../dialects/json.ts'
import { countOccurrences, peekAnswer } from './peek-answer.ts'
import { readPlainUsage, readSeconds } from './read-usage.ts'
import { noteEvent, nothingSeen } from './seen.ts'

describe('usage', () => {
  const table: [string, JsonObject, object | undefined][] = [
    ['embeddings', { usage: { prompt_tokens: 5, total_tokens: 5 } }, { input: 5, output: 0 }],
    [
      'pictures',
      {
        usage: {
          input_tokens: 50,
          output_tokens: 272,
          total_tokens: 322,
          input_tokens_details: { text_tokens: 10, image_tokens: 40 },
        },
      },
      { input: 50, output: 272, imageInput: 40 },
    ],
    [
      'a transcript',
      {
        usage: {
          type: 'tokens',
          input_tokens: 14,
          input_token_details: { text_tokens: 0, audio_tokens: 14 },
          output_tokens: 45,
          total_tokens: 59,
        },
      },
      { input: 14, output: 45, audioInput: 14 },
    ],
    ['a transcript by the second', { usage: { type: 'duration', seconds: 9 } }, undefined],
    ['rerank', { usage: { total_tokens: 38 } }, { input: 38, output: 0 }],
    [
      'rerank, elsewhere',
      { meta: { tokens: { input_tokens: 38, output_tokens: 2 } } },
      { input: 38, output: 2 },
    ],
    ['rerank, by units', { meta: { billed_units: { search_units: 1 } } }, undefined],
    ['Google', { usageMetadata: { promptTokenCount: 7 } }, { input: 7, output: 0 }],
    ['nothing', {}, undefined],
    ['null', { usage: null, meta: null }, undefined],
    ['zeros', { usage: { prompt_tokens: 0, total_tokens: 0 } }, undefined],
    ['below zero', { usage: { prompt_tokens: -1_000_000, total_tokens: -1_000_000 } }, undefined],
    ['text', { usage: { prompt_tokens: '5', total_tokens: '5' } }, undefined],
    ['fractions', { usage: { prompt_tokens: 1.5 } }, undefined],
    ['a total below its part', { usage: { prompt_tokens: 9, total_tokens: 3 } }, { input: 9, output: 0 }],
  ]
  test.each(table)('%s', (_name, body, usage) => {
    const read = readPlainUsage(body)
    expect(read && JSON.parse(JSON.stringify(read))).toEqual(usage)
  })
})

test('seconds of sound are read from wherever an answer tells them', () => {
  const table: [JsonObject, number | undefined][] = [
    [{ usage: { type: 'duration', seconds: 9 }, duration: 8.5 }, 9],
    [{ duration: 8.47 }, 8.47],
    [{ duration: '8.47' }, 8.47],
    [{ duration: 0 }, undefined],
    [{ duration: -5 }, undefined],
    [{ duration: 1e12 }, undefined],
    [{ duration: 'long' }, undefined],
    [{}, undefined],
  ]
  for (const [body, seconds] of table) expect([body, readSeconds(body)]).toEqual([body, seconds])
})

test('events add up', () => {
  const seen = nothingSeen()
  const usage = (input: number, output: number) => ({ input_tokens: input, output_tokens: output })
  noteEvent(seen, { type: 'image_generation.partial_image', b64_json: 'x', partial_image_index: 0 })
  noteEvent(seen, { type: 'image_generation.completed', b64_json: 'x', usage: usage(10, 272) })
  noteEvent(seen, { type: 'image_generation.completed', b64_json: 'x', usage: usage(1, 2) })
  expect(seen).toMatchObject({ partial: 1, pictures: 2, usage: { input: 11, output: 274 } })
  const heard = nothingSeen()
  for (const delta of ['good ', 'morning']) noteEvent(heard, { type: 'transcript.text.delta', delta })
  expect(heard.text).toBe('good morning')
  noteEvent(heard, { type: 'transcript.text.done', text: 'Good morning', usage: usage(3, 4) })
  expect(heard).toMatchObject({ text: 'Good morning', usage: { input: 3, output: 4 } })
})

test('both ends of a large answer', () => {
  const peek = (head: string, tail: string) => {
    const seen = nothingSeen()
    return { whole: peekAnswer(seen, Buffer.from(head), Buffer.from(tail)), usage: seen.usage }
  }
  const usage = '"usage": {"input_tokens":50,"output_tokens":272,"input_tokens_details":{"image_tokens":40}}'
  const found = { input: 50, output: 272, imageInput: 40 }
  expect(peek('{"created":1,"data":[{"b64_json":"AAAA', `AAAA"}],${usage}}\n`)).toMatchObject({
    whole: true,
    usage: found,
  })
  expect(peek(`\n {${usage},"data":[`, '"AAAA"}]}')).toMatchObject({ whole: true, usage: found })
  expect(peek('{"data":[', 'AAAA')).toEqual({ whole: false, usage: undefined })
  expect(peek('<html>', '}')).toEqual({ whole: false, usage: undefined })
  // What a text says of usage is no usage.
  const said = JSON.stringify({ text: '"usage":{"input_tokens":1,"output_tokens":1}' })
  expect(peek(said, said)).toEqual({ whole: true, usage: undefined })
  expect(countOccurrences(Buffer.from('{"data":[{"b64_json":"A"},{"b64_json":"B"}]}'), '"b64_json"')).toBe(2)
})
