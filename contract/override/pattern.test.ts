import { describe, expect, test } from 'bun:test'
import { PatternFault } from './parse-pattern.ts'
import { OutOfPatience, Pattern } from './pattern.ts'

const plenty = () => ({ steps: 1e7 })
const replace = (source: string, text: string, to: string) => new Pattern(source).replace(text, to, plenty())

describe('a pattern', () => {
  test.each([
    ['^gpt-', 'gpt-4o gpt-5', 'x', 'x4o gpt-5'],
    ['(\\w+)@(\\w+)', 'a@b, c@d', `$2 at \${1}`, 'b at a, d at c'],
    ['a|ab|abc', 'abc', '<$0>', '<a>bc'],
    ['(?:a|ab)(c|bcd)(d*)', 'abcd', '$1|$2', 'bcd|'],
    ['a+?', 'aaa', '<$0>', '<a><a><a>'],
    ['x{2,3}', 'xxxxx', '-', '--'],
    ['x{2}', 'xxx', '-', '-x'],
    ['(?i)HeLLo', 'hello HELLO', 'bye', 'bye bye'],
    ['(?s)a.b', 'a\nb', 'c', 'c'],
    ['a.b', 'a\nb', 'c', 'a\nb'],
    ['(?m)^-', '-a\n-b', '+', '+a\n+b'],
    ['\\bcat\\b', 'cat concat cat.', 'dog', 'dog concat dog.'],
    ['[^a-c\\]]+', 'abxyz]', '_', 'ab_]'],
    ['[-.\\w]+\\.(jpg|png)', 'see my-pic.v2.png', '[$1]', 'see [png]'],
    ['\\d*', 'a1b', '<$0>', '<>a<1><>b<>'],
    ['\\p{Lu}', 'aÄb', '_', 'a_b'],
    ['.', '😀é', '*', '**'],
    ['\\$(\\d)', 'cost $5', '$$$1', 'cost $5'],
    ['(?P<year>\\d{4})-\\d\\d', 'in 2026-08', '$1', 'in 2026'],
    ['sk-[A-Za-z0-9]{8,}', 'key sk-0123456789abcdef.', '***', 'key ***.'],
    ['a\\"b\\-\\:', 'a"b-:', 'ok', 'ok'],
    ['}{]'.replace('{', '\\{'), '}{]', 'ok', 'ok'],
  ])('%s in %s', (source, text, to, expected) => {
    expect(replace(source, text, to)).toBe(expected)
  })

  test.each([
    ...['', 'x'.repeat(501), '(', ')', '(a', 'a)', '[', '[]', '[a', '*a', 'a**', 'a+*', 'a{3,2}', 'a{9999}'],
    ...['(?=a)', '(?!a)', '(?<=a)', '(a)\\1', '\\k<a>', '[[:alpha:]]', '\\p{Nothing}', '\\', 'a{201}'],
    ...[
      '(((a{99}){99}){99}){99}',
      '(?:(?:(?:(?:a?){200}){200}){200}){200}',
      `${'('.repeat(60)}${')'.repeat(60)}`,
    ],
    '()'.repeat(21),
  ])('is refused when it is none, or too much: %s', source => {
    expect(() => new Pattern(source)).toThrow(PatternFault)
  })

  test('that repeats nothing ends at once', () => {
    const nothing = `${'(?:'.repeat(20)}${'){200}'.repeat(20)}`
    expect(new Pattern(nothing).test('a', plenty())).toBe(true)
  })

  // An engine that goes back and tries again needs longer than anybody lives for these.
  test.each(['(a+)+b', '(a|a)*b', '(a*)*b', '(?:a?){30}a{30}b', '(.*)(.*)(.*)(.*)[^a]', '(\\w+\\s?)*!'])(
    'looks at every letter a few times only: %s',
    source => {
      const steps = (length: number): number => {
        const patience = { steps: 1e8 }
        expect(new Pattern(source).test('a'.repeat(length), patience)).toBe(false)
        return 1e8 - patience.steps
      }
      expect(steps(4000)).toBeLessThan(steps(2000) * 2.1)
    },
  )

  test('that would take too long is given up', () => {
    const patience = { steps: 10_000 }
    expect(() => new Pattern('(a+)+b').test('a'.repeat(1e6), patience)).toThrow(OutOfPatience)
    const growth = { steps: 10_000 }
    expect(() => new Pattern('a').replace('a'.repeat(5000), 'b'.repeat(4000), growth)).toThrow(OutOfPatience)
  })
})
