import { describe, expect, test } from 'bun:test'
import { countTokens as countByPackage } from 'gpt-tokenizer/encoding/o200k_base'
import { fillTables } from './fill-tables.ts'
import { packTables, unpackTables } from './packed-tables.ts'
import { TokenCount } from './token-count.ts'

const tables = fillTables()
const count = new TokenCount(tables)
const countTokens = (texts: readonly string[]): number => count.count(texts)

/** Characters out of ranges of code points, the same in every run. */
function scramble(length: number, ...ranges: [from: number, to: number][]): string {
  let seed = 7
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return (seed >>> 8) % below
  }
  const pick = (): number => {
    const [from, to] = ranges[next(ranges.length)] ?? [32, 126]
    return from + next(to - from + 1)
  }
  return String.fromCodePoint(...Array.from({ length }, pick))
}

const ascii: [number, number] = [32, 126]
const lower: [number, number] = [97, 122]

describe('countTokens is what the package counts', () => {
  test.each([
    ['letters', scramble(10_000, lower)],
    ['ASCII', scramble(10_000, ascii, [9, 13])],
    ['words', scramble(10_000, lower, lower, lower, [32, 32])],
    ['common Chinese', scramble(10_000, [0x4e00, 0x51ff], [0x4e00, 0x51ff], [0x3001, 0x3002])],
    ['all Chinese', scramble(10_000, [0x4e00, 0x9fff])],
    ['kana and hangul', scramble(10_000, [0x3041, 0x30ff], [0xac00, 0xd7a3], [32, 32])],
    ['emoji', scramble(10_000, [0x1f300, 0x1f6ff], [0x200d, 0x200d], ascii)],
    ['scripts', scramble(10_000, [0x80, 0xd7ff])],
  ])('%s', (_, text) => {
    for (let at = 0; at < text.length; at += 100) {
      const piece = text.slice(at, at + 100)
      expect([piece, countTokens([piece])]).toEqual([piece, countByPackage(piece)])
    }
  })
})

test('a word that is too long is cut between characters', () => {
  expect(countTokens(['😀'.repeat(500)])).toBe(500)
  expect(countTokens([`!${'😀'.repeat(500)}`])).toBe(501)
  expect(countTokens(['的'.repeat(1000)])).toBe(1000)
})

test('tables that were packed are the same again, each in a piece of memory of its own', () => {
  const unpacked = unpackTables(packTables(tables))
  expect(Object.keys(unpacked)).toEqual(Object.keys(tables))
  for (const [name, array] of Object.entries(unpacked))
    expect([name, Bun.deepEquals(array, tables[name as keyof typeof tables])]).toEqual([name, true])
  expect(new Set(Object.values(unpacked).map(({ buffer }) => buffer)).size).toBe(Object.keys(tables).length)
})
