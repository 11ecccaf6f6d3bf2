import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { totpCode } from '../../server/services/sign-in/totp.ts'
import { openStage, ROOT_PASSWORD, type Stage } from './harness.ts'

setDefaultTimeout(30_000)
let stage: Stage
let backupCode: string
beforeAll(async () => {
  stage = await openStage()
  const root = await stage.root()
  const { data } = (await root.post('/api/user/2fa/setup', {})).json
  backupCode = data.backup_codes[0]
  const bits = [...data.secret].map(letter =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const secret = Uint8Array.from(bits.join('').match(/.{8}/g) ?? [], byte => Number.parseInt(byte, 2))
  const code = totpCode(secret, Math.floor(Date.now() / 30_000))
  expect((await root.post('/api/user/2fa/enable', { code })).json.success).toBe(true)
})
afterAll(() => stage.close())

test('the login screen asks for a code, says when it is wrong, and lets in with the right one', async () => {
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/login')
  await page.getByLabel('用户名或邮箱').fill('root')
  await page.getByLabel('密码', { exact: true }).fill(ROOT_PASSWORD)
  const submit = page.getByRole('main').getByRole('button', { name: '登录', exact: true })
  await submit.click()
  const code = page.getByLabel('验证码')
  await code.fill('000000')
  await submit.click()
  await page.getByText('验证码或备用码错误，请重试').waitFor()
  await code.fill(backupCode)
  await submit.click()
  await page.getByText('登录成功！').waitFor()
  await page.waitForURL(url => url.pathname !== '/login')
  expect(visit.faults).toEqual([])
  await visit.close()
})
