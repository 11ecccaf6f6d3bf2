import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { openStage, type Stage, type Visit } from './harness.ts'

/** Each tries to run script in its own way; each would ask for an address with `pwned` in it. */
const attacks = [
  '<img src="data:image/png;base64,AAAA" onerror="fetch(\'/pwned-img\');alert(1)">',
  '<svg onload="fetch(\'/pwned-svg\')"><script>fetch("/pwned-svg-script")</script></svg>',
  '<script>fetch("/pwned-script")</script>',
  '<a href="javascript:fetch(\'/pwned-link\')">link</a>',
  '<a href=" &#106;avascript:fetch(\'/pwned-entity\')">entity</a>',
  '<iframe srcdoc="<script>parent.fetch(\'/pwned-frame\')</script>"></iframe>',
  '<form action="/pwned-form"><button autofocus onfocus="fetch(\'/pwned-focus\')">b</button></form>',
  '<object data="/pwned-object"></object><embed src="/pwned-embed"><base href="/pwned-base/">',
  '<link rel="stylesheet" href="/pwned-style"><meta http-equiv="refresh" content="0;url=/pwned-refresh">',
  '<p style="color: red; background: url(javascript:fetch(1))" onclick="fetch(\'/pwned-click\')">text</p>',
  '<math><mtext></table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=fetch(\'/pwned-mutation\')&gt;">',
].join('\n')

let stage: Stage
let visit: Visit
let asked: string[]

beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  visit = await stage.visit()
  asked = []
  visit.page.on('request', request => asked.push(request.url()))
})
afterEach(async () => {
  const root = await stage.root()
  for (const key of ['HomePageContent', 'About', 'Footer', 'Notice', 'Logo']) await root.saveOption(key, '')
  await visit.close()
})

async function save(key: string, value: string): Promise<void> {
  const answer = await (await stage.root()).saveOption(key, value)
  expect(answer.json).toMatchObject({ success: true })
}

/** Everything that could be clicked is clicked; then nothing may have happened. */
async function expectHarmless(container: string): Promise<void> {
  const { page } = visit
  const host = page.locator(container)
  await host.getByText('the beginning').waitFor()
  for (const text of ['link', 'entity', 'text']) await host.getByText(text, { exact: true }).first().click()
  await page.waitForLoadState('networkidle')
  expect(asked.filter(address => address.includes('pwned'))).toEqual([])
  expect(
    await host
      .locator('[data-format] :is(script, iframe, object, embed, form, base, meta, link, svg, style)')
      .count(),
  ).toBe(0)
  expect(await page.evaluate(() => document.baseURI)).toBe(page.url())
  // The browser reports what the policy refuses while the text is parsed; that is as it should be.
  visit.expectFault(/Content Security Policy/)
  visit.expectFault(/ERR_INVALID_URL|data:image/)
  expect(visit.faults).toEqual([])
}

test('home page content cannot run script', async () => {
  await save('HomePageContent', `# A heading\n\nthe beginning\n\n${attacks}`)
  await visit.page.goto('/')
  await visit.page.getByRole('heading', { name: 'A heading' }).waitFor()
  await expectHarmless('main')
})

test('about content cannot run script', async () => {
  await save('About', `the beginning\n\n${attacks}`)
  await visit.page.goto('/about')
  await expectHarmless('main')
})

test('the footer cannot run script, and replaces the credit line', async () => {
  await save('Footer', `<p>the beginning</p>${attacks}`)
  await visit.page.goto('/about')
  await expectHarmless('footer')
  expect(await visit.page.getByText('由 Tollgate').count()).toBe(0)
  expect(await visit.page.evaluate(() => localStorage.getItem('footer_html'))).toContain('the beginning')
})

test('the announcement cannot run script, and is shown once per text', async () => {
  const { page } = visit
  await save('Notice', `the beginning\n\n${attacks}`)
  await page.goto('/')
  const dialog = page.getByRole('dialog', { name: '公告' })
  await expectHarmless('[role=dialog]')
  await dialog.getByRole('button', { name: '知道了' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.reload()
  await page.waitForLoadState('networkidle')
  expect(await dialog.count()).toBe(0)
  await save('Notice', 'something new')
  await page.reload()
  await dialog.getByText('something new').waitFor()
})

test('markdown and inline styles look as they were meant', async () => {
  const { page } = visit
  await save(
    'About',
    '**bold** and <span style="color: rgb(1, 2, 3)">coloured</span>\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  )
  await page.goto('/about')
  await page.locator('strong', { hasText: 'bold' }).waitFor()
  await page.getByRole('cell', { name: '2' }).waitFor()
  const colour = await page.getByText('coloured').evaluate(element => getComputedStyle(element).color)
  expect(colour).toBe('rgb(1, 2, 3)')
  expect(visit.faults).toEqual([])
})

test('on a page without TLS pictures without TLS are shown, as the logo and in texts', async () => {
  const { page } = visit
  const [logo, picture] = ['http://pictures.example/logo.svg', 'http://pictures.example/text.svg']
  await save('Logo', logo)
  await save('About', `![the picture](${picture})`)
  const body = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'
  await page.route('http://pictures.example/**', route =>
    route.fulfill({ contentType: 'image/svg+xml', body }),
  )
  await page.goto('/about')
  for (const src of [logo, picture])
    await page.waitForFunction(
      wanted => document.querySelector<HTMLImageElement>(`img[src="${wanted}"]`)?.naturalWidth === 8,
      src,
    )
  expect(visit.faults).toEqual([])
})

test('an address is shown in a frame that cannot reach us', async () => {
  const { page } = visit
  await save('HomePageContent', `${stage.url}/api/status`)
  await page.goto('/')
  const frame = page.locator('iframe')
  await frame.waitFor()
  expect(await frame.getAttribute('sandbox')).not.toContain('allow-same-origin')
  expect(await frame.getAttribute('sandbox')).not.toContain('allow-top-navigation')
})
