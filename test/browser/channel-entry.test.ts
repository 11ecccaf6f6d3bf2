import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type FakeUpstream, startOpenai } from '../upstreams/index.ts'
import { openStage, type Stage } from './harness.ts'
import { done } from './people.ts'

let stage: Stage
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await startOpenai()
  stage = await openStage()
})
afterAll(async () => {
  await stage.close()
  await upstream.stop()
})

test('what is copied from a vendor’s page is told to be too much, and a list of lines is as many names', async () => {
  const visit = await stage.visit({ asRoot: true, permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto('/channel')
  await page.getByRole('button', { name: '添加第一个渠道' }).click()
  const drawer = page.getByRole('dialog', { name: '添加渠道' })
  // What is there already is not asked for again.
  await drawer.locator('#channel-key').fill(upstream.key)
  await drawer.getByRole('button', { name: '创建', exact: true }).click()
  await drawer.getByRole('alert').getByText('请填写渠道名称！', { exact: true }).waitFor()
  await drawer.locator('#channel-name').fill('newcomer')
  // So it stands in a vendor's example, and as such it would be sent.
  await drawer.locator('#channel-key').fill(`OPENAI_API_KEY="${upstream.key}"`)
  await drawer.getByRole('button', { name: '创建', exact: true }).click()
  await page.getByText('渠道密钥前多了“OPENAI_API_KEY="”，请只填写密钥本身').first().waitFor()
  await drawer.locator('#channel-key').fill(upstream.key)
  const address = drawer.locator('#channel-base_url')
  await address.fill(`${upstream.url}/v1/chat/completions`)
  await drawer.getByRole('button', { name: '模型 清除所有模型' }).click()
  const names = drawer.getByRole('textbox', { name: '自定义模型名称' })
  await names.fill('gpt-4o')
  await page.evaluate(() => navigator.clipboard.writeText('\ngpt-4o-mini\r\nmine\n'))
  await names.press('Home')
  await names.press('ControlOrMeta+v')
  expect(await names.inputValue()).toBe('gpt-4o-mini,minegpt-4o')
  await names.fill('')
  await names.press('ControlOrMeta+v')
  await names.press('Enter')
  await drawer.getByText('已选 2 个').waitFor()
  await drawer.getByRole('button', { name: '创建', exact: true }).click()
  const fault = '末尾多了“/chat/completions”：各接口的路径会自动补上，请去掉它'
  await drawer.getByRole('alert').getByText(fault).waitFor()
  expect(await address.getAttribute('aria-invalid')).toBe('true')
  await address.fill('https://platform.openai.com/api-keys')
  await drawer.getByRole('button', { name: '创建', exact: true }).click()
  await page.getByText('platform.openai.com 是供人登录的网页，不是接口').first().waitFor()
  await address.fill(`${upstream.url}/v1`)
  await drawer.getByRole('button', { name: '创建', exact: true }).click()
  await page.getByText('渠道创建成功！').waitFor()
  const { data } = (await (await stage.root()).get('/api/channel/search?keyword=newcomer')).json
  expect(data[0]).toMatchObject({ base_url: `${upstream.url}/v1`, models: 'gpt-4o-mini,mine' })
  await done(visit)
})

test.each(['zh-CN', 'en-US'])('of a large tag how many are on is said in full (%s)', async locale => {
  const root = await stage.root()
  for (const count of [12, 120]) {
    const tag = `crowd-${locale}-${count}`
    const key = Array.from({ length: count }, (_, at) => `${tag}-${at}`).join('\n')
    const crowd = { mode: 'batch', type: 1, name: tag, key, models: 'gpt-4o', group: 'default', tag }
    expect((await root.post('/api/channel/', crowd)).json.success).toBe(true)
    const visit = await stage.visit({ asRoot: true, locale, viewport: { width: 1265, height: 800 } })
    const { page } = visit
    await page.goto(`/channel?tag_mode=true&keyword=${tag}`)
    const told = page.getByText(`${count}/${count}`)
    await told.waitFor()
    await page.evaluate(() => document.fonts.ready.then(() => {}))
    expect(await told.evaluate(text => text.scrollWidth - text.clientWidth)).toBe(0)
    await done(visit)
  }
})
