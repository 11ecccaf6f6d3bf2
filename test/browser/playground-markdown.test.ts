import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { switchToEnglish } from './enter-scene.ts'
import { comesTo } from './people.ts'
import { openPlaygroundHouse, type PlaygroundHouse } from './playground-house.ts'

let house: PlaygroundHouse

beforeAll(async () => {
  house = await openPlaygroundHouse()
})
afterAll(async () => {
  expect(house.upstream.complaints).toEqual([])
  await house.close()
})

const answer = [
  '# Title with *stress*',
  'A **bold** word, `a < b && c`, ~~gone~~, \\*literal\\*, a [link](https://example.com/a?b=1), www.example.org\nand a line.',
  'Tom &amp; Jerry, H<sub>2</sub>O, <b onclick="alert(1)">talked about</b>, [bad](javascript:alert(1)) and [ref][one].',
  '- one\n- two, with `code`\n  1. inner\n  2. second\n- three',
  '4. four\n\n5. five, loose',
  '- [x] done\n- [ ] open',
  '| name | figure |\n|:-----|-------:|\n| a | **1** |\n| b | 2 |',
  '> a quote\n> of two lines\n>\n> - with a list',
  '```ts\nconst a: string = "<p>"\n```',
  '    indented <code>\n    goes on',
  '---',
  '~~~\nno language\n~~~',
  '[one]: https://example.com/one "One"',
  'So \\(x_1 = \\frac{a}{b}\\), for $5 or $10:\n\\[\n\\begin{aligned} y &= \\sum_{i=1}^{n} i \\\\ &\\le 2 \\end{aligned}\n\\]',
  'Tom &amp; \\(e^{i\\pi}\\)',
  'The end.',
].join('\n\n')

async function ask(page: Page, text: string): Promise<void> {
  const input = page.getByRole('textbox', { name: '消息' })
  await input.fill(text)
  await input.press('Enter')
}

/** Runs in the page. What is drawn, without spaces between elements that nobody sees. */
function shape(host: Element): string {
  return (host.querySelector('[class*=markdown]')?.innerHTML ?? '').replace(/>\s+</g, '><')
}

test('an answer that came in small pieces looks as it does when it is drawn at once', async () => {
  const visit = await house.stage.visit({ asRoot: true, permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto('/playground')
  house.upstream.next({ reply: { text: answer }, pieceChars: 3, gapMs: 12 })
  await ask(page, 'Everything, please')
  const whole = page.locator('[data-state=complete]').first()
  await whole.getByText('The end.').waitFor()
  await whole.locator('.hljs-keyword').waitFor()
  await whole.locator('math').nth(2).waitFor()
  const grown = await whole.evaluate(shape)

  expect(await whole.locator('h1').innerHTML()).toBe('Title with <em>stress</em>')
  const first = await whole.locator('p').first().innerHTML()
  expect(first).toStartWith(
    'A <strong>bold</strong> word, <code>a &lt; b &amp;&amp; c</code>, <del>gone</del>, *literal*, a ' +
      '<a href="https://example.com/a?b=1" target="_blank" rel="noopener noreferrer">link</a>, ',
  )
  expect(first).toEndWith('www.example.org</a><br>and a line.')
  await whole.getByText('Tom & Jerry, H2O, <b onclick="alert(1)">talked about</b>').waitFor()
  expect(await whole.locator('a[href^=javascript]').count()).toBe(0)
  expect(await whole.locator('a[title=One]').getAttribute('href')).toBe('https://example.com/one')
  expect(await whole.locator('ul > li > ol > li').allTextContents()).toEqual(['inner', 'second'])
  expect(await whole.locator('ol[start="4"] > li > p').allTextContents()).toEqual(['four', 'five, loose'])
  expect(await whole.locator('input[type=checkbox]:checked').count()).toBe(1)
  expect(await whole.locator('td[align=right]').allTextContents()).toEqual(['1', '2'])
  expect(await whole.locator('blockquote li').allTextContents()).toEqual(['with a list'])
  expect(await whole.locator('figcaption span').allTextContents()).toEqual(['ts', '文本'])

  // Drawn by the browser, in its own elements: those of another namespace would be shown as plain words.
  const formulas = await whole
    .locator('math')
    .evaluateAll(found =>
      found.map(one => [one.namespaceURI?.slice(-6), one.getAttribute('display'), one.textContent]),
    )
  expect(formulas).toEqual([
    ['MathML', null, 'x1=ab'],
    ['MathML', 'block', 'y=∑i=1ni≤2'],
    ['MathML', null, 'eiπ'],
  ])
  await whole.getByText('for $5 or $10:').waitFor()

  await whole.getByRole('button', { name: '复制代码' }).first().click()
  await whole.locator('button[data-copied]').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('const a: string = "<p>"')

  await page.reload()
  await page.locator('.hljs-keyword').waitFor()
  await page.locator('button[data-copied]').waitFor({ state: 'detached' })
  await comesTo(() => page.locator('[data-state=complete]').first().evaluate(shape), grown)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('while an answer comes, its words and about what it costs are told', async () => {
  const visit = await house.stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/playground')
  await page.evaluate(() => localStorage.removeItem('playground-conversation'))
  await page.reload()
  house.upstream.next({ reply: { text: 'word' }, endless: true, gapMs: 15 })
  await ask(page, 'Talk')
  const coming = page.locator('[data-state=incomplete]')
  const costs = coming.getByText(/^≈ \$/)
  await costs.waitFor()
  const early = { words: await coming.innerText(), cost: await costs.textContent() }
  await coming.getByText(/(word ?){120}/).waitFor()
  await page.waitForFunction(cost => !document.body.innerText.includes(cost), early.cost ?? '')
  expect((await coming.innerText()).length).toBeGreaterThan(early.words.length)
  // In another language what was said stays, and it goes on.
  const before = (await coming.getByText(/word/).first().innerText()).length
  await switchToEnglish(page)
  await page.waitForFunction(
    length => (document.querySelector('[data-state=incomplete] p')?.textContent?.length ?? 0) > length,
    before,
  )
  await page.keyboard.press('Escape')
  await page.locator('[data-state=complete]').getByText('Stopped').waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})
