import { afterAll, beforeAll, expect, test } from 'bun:test'
import { NoticeReceiver } from '../notice-receiver.ts'
import { openStage, type Stage } from './harness.ts'
import { addPerson, done } from './people.ts'

let stage: Stage
const receiver = new NoticeReceiver()

beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => {
  await stage.close()
  await receiver.close()
})

test('a user chooses how to be reminded; a secret that is kept is not shown', async () => {
  const client = await addPerson(stage, 'reminded')
  const saved = async () => (await client.get('/api/user/setting')).json.data
  const visit = await stage.visit({ as: client })
  const { page } = visit
  await page.goto('/user/edit')
  const update = page.getByRole('button', { name: '更新提醒' })
  await page.getByRole('textbox', { name: '提醒阈值' }).fill('a lot')
  await page.getByText('请输入不小于 0 的整数').waitFor()
  await page.getByRole('textbox', { name: '提醒阈值' }).fill('500000')
  await page.getByText('$1.00').waitFor()
  await page.getByLabel('提醒方式').selectOption('gotify')
  await page.getByLabel('地址').fill('https://93.184.216.34/push')
  await update.click()
  await page.getByText('请填写 Gotify 令牌').waitFor()
  await page.getByLabel('令牌', { exact: true }).fill('A.tok3n')
  await update.click()
  await page.getByText('用户信息更新成功！').waitFor()
  expect(await saved()).toMatchObject({
    ...{ notify_type: 'gotify', quota_warning_threshold: 500_000, gotify_token_set: true },
    gotify_url: 'https://93.184.216.34/push',
  })

  await page.reload()
  const token = page.getByLabel('令牌', { exact: true })
  expect(await token.inputValue()).toBe('')
  expect(await token.getAttribute('placeholder')).toBe('留空则保持不变')
  expect(await page.getByLabel('地址').inputValue()).toBe('https://93.184.216.34/push')
  await page.getByLabel('提醒方式').selectOption('email')
  await page.getByRole('button', { name: '发送测试消息' }).click()
  await page.getByText('请先绑定邮箱，或填写接收邮箱').waitFor()
  expect(await saved()).toMatchObject({ notify_type: 'email', quota_warning_threshold: 500_000 })
  await done(visit)
})

test('the operator tries the webhook out once it is saved', async () => {
  const visit = await stage.visit({ as: await stage.root() })
  const { page } = visit
  await page.goto('/setting?tab=operation')
  const section = page.locator('[id="operation.monitoring"]')
  const tryOut = section.getByRole('button', { name: '发送测试消息' })
  await section.getByLabel('运维消息 Webhook 地址').fill(`${receiver.url}/hook`)
  await section.getByLabel('运维消息格式').selectOption('slack')
  expect(await tryOut.count()).toBe(0)
  await section.getByRole('button', { name: '保存：监控设置' }).click()
  await tryOut.click()
  await page.getByText('测试消息已发出').waitFor()
  expect((await receiver.next()).json).toEqual({ text: 'Tollgate: 收到这条消息，说明设置可以使用。' })
  receiver.answer = () => new Response('', { status: 404 })
  await tryOut.click()
  await page.getByText('对方未接受消息：HTTP 404').waitFor()
  await done(visit)
})
