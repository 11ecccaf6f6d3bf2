import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Client, openStage, type Stage, type Visit } from './harness.ts'
import { addAuthenticator, addPerson, arrive, codeFor, done, logIn, password } from './people.ts'

let stage: Stage
let home: string

beforeAll(async () => {
  stage = await openStage()
  home = `http://localhost:${new URL(stage.url).port}`
  const root = await stage.root()
  const options = { CriticalRateLimit: '0', GlobalApiRateLimit: '0', ServerAddress: home }
  for (const [key, value] of Object.entries(options)) await root.saveOption(key, value)
})
afterAll(() => stage.close())

/** At the public address, where passkeys belong. */
async function visitAtHome(client: Client): Promise<Visit> {
  const visit = await stage.visit({ as: client, baseURL: home })
  await visit.page.context().addCookies([{ name: 'session', value: client.cookie ?? '', url: home }])
  return visit
}

test('two-factor login: enrol, log in with a code, with a backup code, new codes, switch off', async () => {
  const visit = await stage.visit({ as: await addPerson(stage, 'careful'), acceptDownloads: true })
  const { page } = visit
  await page.goto('/setting')
  await page.getByRole('button', { name: '启用两步验证' }).click()
  const enrol = page.getByRole('dialog', { name: '启用两步验证' })
  await enrol.getByRole('img', { name: '两步验证二维码' }).waitFor()
  const secret = await enrol.getByLabel('密钥', { exact: true }).inputValue()
  const verify = enrol.getByRole('button', { name: '验证并启用' })
  await verify.click()
  await page.getByText('请输入验证码！').waitFor()
  await enrol.getByLabel('验证码').fill('000000')
  await verify.click()
  await page.getByText('验证码或备用码错误，请重试').waitFor()
  await enrol.getByLabel('验证码').fill(codeFor(secret))
  await verify.click()
  const shown = page.getByRole('dialog', { name: '备用码' })
  await shown.getByRole('listitem').first().waitFor()
  const codes = await shown.getByRole('listitem').allInnerTexts()
  expect(codes.length).toBeGreaterThan(5)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    shown.getByRole('button', { name: '下载' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('backup-codes.txt')
  const text = await Bun.file((await download.path()) ?? '').text()
  for (const code of codes) expect(text).toContain(code)
  await shown.getByRole('button', { name: '我已保存' }).click()
  await page.getByText(`剩余 ${codes.length} 个备用码`).waitFor()
  // What can be done with it is long in English: it takes a line of its own, and pushes nothing off the page.
  const english = await stage.visit({ as: await addPerson(stage, 'reader'), locale: 'en-US' })
  await english.page.route('**/api/user/2fa/status', route =>
    route.fulfill({
      json: { success: true, message: '', data: { enabled: true, locked: false, backup_codes_remaining: 9 } },
    }),
  )
  await english.page.goto('/setting')
  await english.page.getByRole('button', { name: 'Disable two-factor authentication' }).waitFor()
  expect(await english.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await done(english)

  const logOut = async () => {
    // What the screen asks for while it goes would be told that nobody is logged in.
    await page.waitForLoadState('networkidle')
    await page.getByRole('button', { name: '账户：careful' }).click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await page.waitForURL('/login')
  }
  const submit = page.getByRole('main').getByRole('button', { name: '登录', exact: true })
  await logOut()
  await logIn(page, 'careful', password)
  await page.getByRole('heading', { name: '两步验证' }).waitFor()
  await page.getByRole('button', { name: '返回登录' }).click()
  await logIn(page, 'careful', password)
  await page.getByLabel('验证码').fill(codeFor(secret, 1))
  await submit.click()
  await arrive(page)
  await logOut()
  await logIn(page, 'careful', password)
  await page.getByLabel('验证码').fill(codes[0] ?? '')
  await submit.click()
  await arrive(page)

  await page.goto('/setting')
  await page.getByText(`剩余 ${codes.length - 1} 个备用码`).waitFor()
  await page.getByRole('button', { name: '重新生成备用码' }).click()
  const renew = page.getByRole('dialog', { name: '重新生成备用码' })
  await renew.getByLabel('验证码').fill(codes[1] ?? '')
  await renew.getByRole('button', { name: '重新生成备用码' }).click()
  await shown.getByRole('listitem').first().waitFor()
  const fresh = await shown.getByRole('listitem').allInnerTexts()
  expect(fresh.some(code => codes.includes(code))).toBe(false)
  await shown.getByRole('button', { name: '我已保存' }).click()
  await page.getByRole('button', { name: '关闭两步验证' }).click()
  const off = page.getByRole('dialog', { name: '关闭两步验证' })
  await off.getByLabel('验证码').fill(fresh[0] ?? '')
  await off.getByRole('button', { name: '关闭两步验证' }).click()
  await page.getByText('两步验证已关闭').waitFor()
  await page.getByRole('button', { name: '启用两步验证' }).waitFor()
  await done(visit)
})

test('who has no passkey is offered none as the second step', async () => {
  const client = await addPerson(stage, 'keyless')
  const { data } = (await client.post('/api/user/2fa/setup', {})).json
  await client.post('/api/user/2fa/enable', { code: codeFor(data.secret) })
  const visit = await stage.visit({ baseURL: home })
  const { page } = visit
  await page.goto('/login')
  const offer = page.getByRole('button', { name: '使用通行密钥登录' })
  await offer.waitFor()
  await logIn(page, 'keyless', password)
  await page.getByLabel('验证码').waitFor()
  expect(await offer.count()).toBe(0)
  await done(visit)
})

test('on a phone the buttons below backup codes say all of their words', async () => {
  const visit = await stage.visit({
    ...{ as: await addPerson(stage, 'walker'), locale: 'en-US' },
    viewport: { width: 390, height: 844 },
  })
  const { page } = visit
  await page.goto('/setting')
  await page.getByRole('button', { name: 'Enable two-factor authentication' }).click()
  const enrol = page.getByRole('dialog', { name: 'Enable two-factor authentication' })
  const secret = await enrol.getByLabel('Secret', { exact: true }).inputValue()
  await enrol.getByLabel('Code', { exact: true }).fill(codeFor(secret))
  await enrol.getByRole('button', { name: 'Verify and enable' }).click()
  const shown = page.getByRole('dialog', { name: 'Backup codes' })
  const buttons = shown.getByRole('button').filter({ hasText: /./ })
  await buttons.first().waitFor()
  const words = await buttons.evaluateAll(all =>
    all.map(button => {
      const text = document.createRange()
      text.selectNodeContents(button)
      const edge = button.getBoundingClientRect()
      const { left, right } = text.getBoundingClientRect()
      // Within what cuts it off, too.
      const cut = [...button.querySelectorAll('*')].some(part => part.scrollWidth > part.clientWidth + 1)
      return {
        says: button.textContent,
        whole: !cut && left > edge.left && right < edge.right && edge.right < innerWidth,
      }
    }),
  )
  expect(words).toEqual([
    { says: 'Copy all', whole: true },
    { says: 'Download', whole: true },
    { says: 'I’ve saved them', whole: true },
  ])
  await done(visit)
})

test('a passkey is added after a proof, logs in, is renamed and deleted', async () => {
  const client = await addPerson(stage, 'keyholder')
  const visit = await visitAtHome(client)
  const { page } = visit
  await addAuthenticator(page)
  await page.goto('/setting')
  const add = page.getByRole('button', { name: '添加通行密钥' })
  await add.first().click()
  const dialog = page.getByRole('dialog', { name: '添加通行密钥' })
  await dialog.getByRole('button', { name: '添加通行密钥' }).click()
  await page.getByText('请输入名称！').waitFor()
  await dialog.getByLabel('名称').fill('办公室电脑')
  visit.expectFault(/403/)
  await dialog.getByRole('button', { name: '添加通行密钥' }).click()
  const proof = page.getByRole('dialog', { name: '安全验证' })
  await proof.getByText('请再次验证身份').waitFor()
  await proof.getByLabel('登录密码', { exact: true }).fill('not-it-at-all')
  await proof.getByRole('button', { name: '验证并继续' }).click()
  await page.getByText('错误：安全验证失败').waitFor()
  await proof.getByLabel('登录密码', { exact: true }).fill(password)
  await proof.getByRole('button', { name: '验证并继续' }).click()
  await page.getByText('通行密钥已添加').waitFor()
  await page.getByText('办公室电脑').waitFor()
  // The same device again: the browser refuses it.
  await add.first().click()
  await dialog.getByLabel('名称').fill('再一个')
  await dialog.getByRole('button', { name: '添加通行密钥' }).click()
  await page.getByText('此设备上已有该账户的通行密钥').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: '账户：keyholder' }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await page.waitForURL('/login')
  await page.getByRole('button', { name: '使用通行密钥登录' }).click()
  await page.getByText('登录成功！').waitFor()
  await arrive(page)

  await page.goto('/setting')
  await page.getByText('上次使用').waitFor()
  await page.getByRole('button', { name: '重命名通行密钥 办公室电脑' }).click()
  const rename = page.getByRole('dialog', { name: '重命名通行密钥' })
  await rename.getByLabel('名称').fill('家里')
  await rename.getByRole('button', { name: '保存' }).click()
  await page.getByRole('button', { name: '删除通行密钥 家里' }).click()
  const confirm = page.getByRole('dialog', { name: '删除通行密钥' })
  await confirm.getByText('“家里”').waitFor()
  await confirm.getByRole('button', { name: '删除通行密钥' }).click()
  await page.getByText('通行密钥已删除').waitFor()
  await done(visit)
})

test('a closed passkey dialog is no failure, and a passkey serves as the second step', async () => {
  const client = await addPerson(stage, 'both')
  const { data } = (await client.post('/api/user/2fa/setup', {})).json
  await client.post('/api/user/2fa/enable', { code: codeFor(data.secret) })
  const visit = await visitAtHome(client)
  const { page } = visit
  await addAuthenticator(page)
  await page.goto('/setting')
  await page.getByRole('button', { name: '添加通行密钥' }).click()
  const dialog = page.getByRole('dialog', { name: '添加通行密钥' })
  await dialog.getByLabel('名称').fill('钥匙')
  visit.expectFault(/403/)
  await dialog.getByRole('button', { name: '添加通行密钥' }).click()
  const proof = page.getByRole('dialog', { name: '安全验证' })
  await proof.getByLabel('验证码').fill(data.backup_codes[0])
  await proof.getByRole('button', { name: '验证并继续' }).click()
  await page.getByText('通行密钥已添加').waitFor()
  // What would be left without the code is all that lets in.
  await page.getByRole('button', { name: '关闭两步验证' }).click()
  await page.getByRole('dialog').getByText('关闭后，仅凭密码或任一通行密钥即可登录此账户。').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '账户：both' }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await page.waitForURL('/login')

  await page.evaluate(() => {
    const { get } = navigator.credentials
    navigator.credentials.get = async () => {
      navigator.credentials.get = get
      throw new DOMException('closed', 'NotAllowedError')
    }
  })
  await page.getByRole('button', { name: '使用通行密钥登录' }).click()
  await page.getByText('通行密钥操作已取消').waitFor()
  await logIn(page, 'both', password)
  await page.getByRole('heading', { name: '两步验证' }).waitFor()
  await page.getByRole('button', { name: '使用通行密钥登录' }).click()
  await arrive(page)
  await done(visit)
})
