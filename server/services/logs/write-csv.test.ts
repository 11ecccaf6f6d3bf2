import { expect, test } from 'bun:test'
import { csvLine } from './write-csv.ts'

test.each([
  ['plain words', 'plain words'],
  ['', ''],
  ['模型倍率 1.25，补全', '模型倍率 1.25，补全'],
  ['a=b', 'a=b'],
  ['a, b', '"a, b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
  ['ends in \r', '"ends in \r"'],
  [' before', '" before"'],
  ['after ', '"after "'],
  [' ', '" "'],
  ['=1+1', "'=1+1"],
  ['-2', "'-2"],
  ['＝1', "'＝1"],
  ['|x', "'|x"],
  [' @x', "' @x"],
  ['\u200b+x', "'\u200b+x"],
  ['\tx', "'\tx"],
  ['@a,"b"', '"\'@a,""b"""'],
  ['"', '""""'],
  [',', '","'],
  ['x', 'x'],
  ['{"a":1}', '"{""a"":1}"'],
])('%j becomes %j', (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`)
})

test('cells stand in their order, empty ones too', () => {
  expect(csvLine(['', 1, 'a', '', -2])).toBe(',1,a,,-2\r\n')
})
