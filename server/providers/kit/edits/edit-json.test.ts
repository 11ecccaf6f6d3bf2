import { describe, expect, test } from 'bun:test'
import type { Json, JsonObject } from '../../../dialects/json.ts'
import type { Edits } from '../../define.ts'
import { editTopLevel } from './edit-json.ts'

describe('editTopLevel', () => {
  const cases: readonly [string, Edits, string][] = [
    ['{}', {}, '{}'],
    ['{}', { a: 1 }, '{"a":1}'],
    [' { } ', { a: 1, b: 'x' }, ' { "a":1,"b":"x"} '],
    ['{}', { a: undefined }, '{}'],
    ['{"a":1}', { a: undefined }, '{}'],
    ['{ "a" : 1 }', { a: undefined, b: 2 }, '{"b":2}'],
    ['{"model":"a","x":1.0}', { model: 'b' }, '{"model":"b","x":1.0}'],
    ['{"x":12345678901234567890, "y":1E2,"m":1}', { m: 2 }, '{"x":12345678901234567890, "y":1E2,"m":2}'],
    ['{"mod\\u0065l":"a"}', { model: 'b' }, '{"mod\\u0065l":"b"}'],
    ['{"a\\"b":1,"c":2}', { 'a"b': undefined }, '{"c":2}'],
    ['{"a":1,"a":2,"b":3}', { a: 4 }, '{"a":4,"a":4,"b":3}'],
    ['{"a":1,"b":3,"a":2}', { a: undefined }, '{"b":3}'],
    ['{"a":1,"b":2,"c":3}', { a: undefined, b: undefined }, '{"c":3}'],
    ['{"a":1,"b":2,"c":3}', { b: undefined, c: undefined }, '{"a":1}'],
    ['{"a":1,"b":2,"c":3}', { a: undefined, c: undefined, d: null }, '{"b":2,"d":null}'],
    ['{"a":1,"b":2,"c":3}', { a: 0, b: undefined, c: 0 }, '{"a":0,"c":0}'],
    [
      '{\n  "a": [1, {"b": "}]"}],\n  "b": true\n}',
      { b: false },
      '{\n  "a": [1, {"b": "}]"}],\n  "b": false\n}',
    ],
    ['{"a":{"model":"inner"},"model":"m"}', { model: 'n' }, '{"a":{"model":"inner"},"model":"n"}'],
    ['{"a":"\\\\","b":"\\\\\\"","c":"x\\\\"}', { b: 1 }, '{"a":"\\\\","b":1,"c":"x\\\\"}'],
    ['{"":1,"b":-0.0}', { '': undefined }, '{"b":-0.0}'],
    ['{"__proto__":{"x":1},"toString":2}', { b: 1 }, '{"__proto__":{"x":1},"toString":2,"b":1}'],
  ]
  test.each(cases)('%j', (text, edits, expected) => {
    expect(editTopLevel(text, edits)).toBe(expected)
    JSON.parse(expected)
  })

  test('gives the same text back when nothing changes', () => {
    expect(editTopLevel('\t{"a" :1}\n', { b: undefined })).toBe('\t{"a" :1}\n')
  })

  test('walks any depth without the stack', () => {
    const deep = `${'[{"a":'.repeat(300_000)}1${'}]'.repeat(300_000)}`
    expect(editTopLevel(`{"x":${deep},"m":1}`, { m: 2 })).toBe(`{"x":${deep},"m":2}`)
  })

  test('leaps over long strings, also of quotes and backslashes', () => {
    const long = JSON.stringify(`${'A'.repeat(8_000_000)}${'"'.repeat(500_000)}${'\\'.repeat(500_001)}`)
    const text = `{"messages":[{"content":${long}}],"model":"a","s":${long}}`
    expect(editTopLevel(text, { model: 'b' }) === text.replace('"model":"a"', '"model":"b"')).toBe(true)
  })

  test('means what JSON.parse and a spread mean, for random objects and edits', () => {
    const random = createRandom(20_261_115)
    for (let round = 0; round < 5_000; round++) {
      const object = randomObject(random, 3)
      const edits = randomEdits(random, object)
      const text = writeLoosely(object, random)
      const expected = Object.fromEntries(
        Object.entries({ ...object, ...edits }).filter(([, value]) => value !== undefined),
      )
      const edited = editTopLevel(text, edits)
      expect(JSON.parse(edited), `${text} with ${JSON.stringify(edits)}`).toEqual(expected)
      expect(Object.keys(JSON.parse(edited)).sort()).toEqual(Object.keys(expected).sort())
    }
  })
})

type Random = (below: number) => number

function createRandom(seed: number): Random {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const names = [
  'a',
  'model',
  'b"c',
  'd\\',
  '',
  'é',
  '{',
  '}',
  ',',
  ':',
  '\n',
  '__proto',
  'stream',
  '\u2028',
  '😀',
]
const texts = ['', 'x', '"', '\\', '\\"', '}', '],', '{"a":1}', '\u0000\n\t', '漢字😀', '\\\\"']

function randomText(random: Random): string {
  return `${texts[random(texts.length)]}${texts[random(texts.length)]}`
}

function randomValue(random: Random, depth: number): Json {
  const kind = random(depth > 0 ? 7 : 5)
  if (kind === 0) return null
  if (kind === 1) return random(2) === 1
  if (kind === 2) return random(1_000_000) / 1000 - 500
  if (kind === 3 || kind === 4) return randomText(random)
  if (kind === 5) return randomObject(random, depth - 1)
  return Array.from({ length: random(4) }, () => randomValue(random, depth - 1))
}

function randomObject(random: Random, depth: number): JsonObject {
  const object: JsonObject = {}
  for (let left = random(6); left > 0; left--)
    object[names[random(names.length)] ?? 'a'] = randomValue(random, depth)
  return object
}

function randomEdits(random: Random, object: JsonObject): Edits {
  const edits: Edits = {}
  const candidates = [...Object.keys(object), ...names]
  for (let left = random(5); left > 0; left--)
    edits[candidates[random(candidates.length)] ?? 'a'] = random(2) === 0 ? undefined : randomValue(random, 2)
  return edits
}

/** JSON with spaces anywhere they may be, and letters of strings escaped now and then. */
function writeLoosely(value: Json | undefined, random: Random): string {
  const space = () => ['', '', ' ', '\n', '\t \r\n'][random(5)] ?? ''
  const text = (plain: string) =>
    random(3) === 0
      ? `"${[...Array(plain.length).keys()].map(at => `\\u${plain.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
      : JSON.stringify(plain)
  const write = (item: Json | undefined): string => {
    if (typeof item === 'string') return text(item)
    if (Array.isArray(item)) return `[${space()}${item.map(one => write(one) + space()).join(`,${space()}`)}]`
    if (typeof item !== 'object' || item === null) return JSON.stringify(item)
    const members = Object.entries(item).map(
      ([name, one]) => `${space()}${text(name)}${space()}:${space()}${write(one)}${space()}`,
    )
    return `{${members.length === 0 ? space() : members.join(',')}}`
  }
  return `${space()}${write(value)}${space()}`
}
