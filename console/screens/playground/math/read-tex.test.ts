import { describe, expect, test } from 'bun:test'
import { Lexer } from 'marked'
import { lexerOptions, newMarked } from './math-tokens.ts'
import { type MathNode, readTex } from './read-tex.ts'

/** Without the tags' first letter, as s-expressions: short enough to be read. */
function brief({ tag, children }: MathNode): string {
  const inside = children.map(child => (typeof child === 'string' ? child : brief(child))).join(' ')
  return /^m[ino]$/.test(tag) ? inside : `${tag.slice(1)}(${inside})`
}
const read = (tex: string) => brief(readTex(tex, true)).slice('ath('.length, -1)

describe('TeX', () => {
  test.each([
    ['x', 'x'],
    ['a+b', 'row(a + b)'],
    ['x^2', 'sup(x 2)'],
    ['x_i^{10}', 'subsup(x i 10)'],
    ["f'(x)", 'row(sup(f ′) ( x ))'],
    [String.raw`\frac{-b \pm \sqrt{b^2-4ac}}{2a}`, 'frac(row(− b ± sqrt(row(sup(b 2) − 4 a c))) row(2 a))'],
    [String.raw`\sqrt[3]{8}`, 'root(8 3)'],
    [String.raw`\sum_{i=1}^{n} i`, 'row(underover(∑ row(i = 1) n) i)'],
    [String.raw`\int_0^\infty e^{-x}\,dx`, 'row(subsup(∫ 0 ∞) sup(e row(− x)) space() d x)'],
    [String.raw`\lim_{x \to 0} \sin x`, 'row(under(row(lim \u2061) row(x → 0)) row(sin \u2061) x)'],
    [String.raw`\mathbb{R} \mathbf{v} \mathcal{L}`, 'row(ℝ 𝐯 ℒ)'],
    [String.raw`\text{if } x > 0`, 'row(text(if\u00a0) x > 0)'],
    [String.raw`\left( \frac12 \right)`, 'row(( frac(1 2) ))'],
    [
      String.raw`\begin{pmatrix} a & b \\ c & d \end{pmatrix}`,
      'row(( table(tr(td(a) td(b)) tr(td(c) td(d))) ))',
    ],
    [String.raw`\hat{y} \ne \alpha`, 'row(over(y ^) ≠ α)'],
    [String.raw`\unknown{x}`, String.raw`row(text(\unknown) x)`],
    ['{', 'row()'],
    [String.raw`\frac{a`, 'frac(a row())'],
    [String.raw`\begin{cases} 1`, 'row({ table(tr(td(1))))'],
  ])('%s', (tex, expected) => {
    expect(read(tex)).toBe(expected)
  })

  test('of any length and depth ends', () => {
    for (const part of ['{', String.raw`\left(`, String.raw`\begin{matrix}`, '^', String.raw`\frac`, '}'])
      expect(read(part.repeat(3000)).length).toBeGreaterThan(0)
  })
})

describe('what is a formula', () => {
  const formulas = (text: string) => {
    const found: string[] = []
    void newMarked().walkTokens(new Lexer(lexerOptions).lex(text), token => {
      if (token.type === 'math') found.push(token.text.trim())
    })
    return found
  }
  test.each([
    [String.raw`so \(a^2\) and $b$, $$c$$ too`, ['a^2', 'b', 'c']],
    ['before:\n\\[\nx\n- y\n\\]\nafter', ['x\n- y']],
    ['- item\n\n  $$\n  a\n  $$', ['a']],
    ['**$x_1$** and | `$y$`', ['x_1']],
  ])('%j has', (text, expected) => {
    expect(formulas(text)).toEqual(expected)
  })
  test.each([
    'it costs $5, or $10 for two',
    'between $5-$10 or US$3',
    'from $1,000$ on',
    'echo $HOME and $PATH',
    '`\\(a\\)` in code',
    '```\n$$a$$\n```',
    'an open \\[ x',
    'only $$ alone',
  ])('%j has none', text => {
    expect(formulas(text)).toEqual([])
  })

  test('nothing in it can be HTML', () => {
    const html = newMarked().parse(String.raw`\(\text{<img src=x onerror=alert(1)>} < "a"\)`, {
      async: false,
    })
    expect(html).not.toContain('<img')
    expect(html).toContain('<math>')
  })
})
