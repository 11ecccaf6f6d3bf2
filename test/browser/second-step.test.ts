import { afterAll, beforeAll, expect, test } from 'bun:test'
import { totpCode } from '../../server/services/sign-in/totp.ts'
import { openStage, ROOT_PASSWORD, type Stage } from './harness.ts'
import { logIn } from './people.ts'

let stage: Stage
let backupCodes: string[]
beforeAll(async () => {
  stage = await openStage()
  const root = await stage.root()
  const { data } = (await root.post('/api/user/2fa/setup', {})).json
  backupCodes = data.backup_codes
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
  await logIn(page, 'root', ROOT_PASSWORD)
  const submit = page.getByRole('main').getByRole('button', { name: '登录', exact: true })
  const code = page.getByLabel('验证码')
  await code.fill('000000')
  await submit.click()
  await page.getByText('验证码或备用码错误，请重试').waitFor()
  await code.fill(backupCodes[0] ?? '')
  await submit.click()
  await page.getByText('登录成功！').waitFor()
  await page.waitForURL(url => url.pathname !== '/login')
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('who logs out before the first screen has come is asked for a password again, not for a code', async () => {
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/login')
  await logIn(page, 'root', ROOT_PASSWORD)
  await page.getByLabel('验证码').fill(backupCodes[1] ?? '')
  await page.waitForLoadState('networkidle')
  // The screen that a login leads to does not come.
  await page.route('**/assets/screen-*.js', () => {})
  await page.getByRole('main').getByRole('button', { name: '登录', exact: true }).click()
  await page.getByRole('button', { name: '账户：root' }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await page.waitForURL('/login')
  await page.getByLabel('用户名或邮箱').waitFor()
  await visit.close()
})
