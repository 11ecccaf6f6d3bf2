import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Client, loggedIn } from '../../client.ts'
import { Mailbox } from '../../mailbox.ts'
import { type OpenProgram, openProgram } from '../../open-program.ts'

let house: OpenProgram
let ann: Client

beforeAll(async () => {
  house = await openProgram()
  await house.root.post('/api/user/', { username: 'ann', password: 'good-password' })
  ann = await loggedIn(house.program.url, 'ann', 'good-password')
})
afterAll(() => house.close())

const english = { 'accept-language': 'en' }
const save = (body: object) => ann.send('PUT', '/api/user/setting', { body, headers: english })
const shown = async () => (await ann.get('/api/user/setting')).json.data
const tryOut = () => ann.send('POST', '/api/user/setting/test', { headers: english })

/** Reachable for the rules; nobody is asked in these tests. */
const publicHook = 'https://93.184.216.34/in/s3cret-path'

const untouched = {
  notify_type: 'email',
  quota_warning_threshold: 0,
  notification_email: '',
  webhook_url: '',
  webhook_secret_set: false,
  bark_url: '',
  gotify_url: '',
  gotify_token_set: false,
  gotify_priority: 5,
}

test('who has chosen nothing is told by mail', async () => {
  expect(await shown()).toEqual(untouched)
  expect((await tryOut()).json.message).toBe('Link an email address first, or enter one for this')
})

describe('an address that is not for users is refused, whatever takes it', () => {
  const address = 'That address is not allowed'
  test.each([
    ['http://93.184.216.34/', 'The address must begin with https://'],
    ['ftp://93.184.216.34/', 'The address must begin with https://'],
    ['alerts.example', 'The address is not a valid URL'],
    ['', 'The address is not a valid URL'],
    ['https://localhost/', address],
    ['https://127.0.0.1/', address],
    ['https://2130706433/', address],
    ['https://0/', address],
    ['https://0x7f.1/', address],
    ['https://[::1]/', address],
    ['https://[::ffff:169.254.169.254]/', address],
    ['https://[64:ff9b::a9fe:a9fe]/', address],
    ['https://10.0.0.8/', address],
    ['https://192.168.1.1:8443/', address],
    ['https://169.254.169.254/latest/meta-data/', address],
    ['https://100.100.100.200/', address],
    ['https://metadata.google.internal/', address],
    ['https://gate.local/', address],
    [
      'https://93.184.216.34:22/',
      'That port is not allowed: addresses that users give may have 80, 443, 8080 or 8443',
    ],
    ['https://me:pass@93.184.216.34/', 'The address is not a valid URL'],
  ])('%s', async (url, message) => {
    const template = `${url}${url.endsWith('/') ? '' : '/'}{{title}}`
    for (const body of [
      { notify_type: 'webhook', webhook_url: url },
      { notify_type: 'bark', bark_url: url === '' ? '' : template },
      { notify_type: 'gotify', gotify_url: url, gotify_token: 'A.tok3n' },
    ]) {
      const { json } = await save(body)
      expect([body.notify_type, json.success, json.message]).toEqual([body.notify_type, false, message])
    }
    expect(await shown()).toEqual(untouched)
  })
})

test.each([
  [{ quota_warning_threshold: -1 }],
  [{ quota_warning_threshold: 1.5 }],
  [{ quota_warning_threshold: '5' }],
  [{ quota_warning_threshold: Number.MAX_SAFE_INTEGER + 1 }],
  [{ notify_type: 'pigeon' }],
  [{ notify_type: '__proto__' }],
  [{ notify_type: 'bark', bark_url: 'https://93.184.216.34/device' }],
  [{ notify_type: 'bark', bark_url: 'https://{{title}}.example/' }],
  [{ notify_type: 'gotify', gotify_url: 'https://93.184.216.34/' }],
  [{ notify_type: 'gotify', gotify_url: 'https://93.184.216.34/', gotify_token: '密' }],
  [{ notify_type: 'gotify', gotify_url: 'https://93.184.216.34/', gotify_token: 'a', gotify_priority: 11 }],
  [{ notify_type: 'webhook', webhook_url: `https://93.184.216.34/${'a'.repeat(2000)}` }],
  [{ notify_type: 'webhook', webhook_url: 'https://93.184.216.34/', webhook_secret: 'a\nb' }],
  [{ notification_email: 'nobody' }],
])('%j is refused and changes nothing', async body => {
  expect((await save(body)).json.success).toBe(false)
  expect(await shown()).toEqual(untouched)
})

test('the call of the family is served, with the fields it also sends', async () => {
  const family = {
    notify_type: 'webhook',
    quota_warning_threshold: 500_000,
    webhook_url: publicHook,
    webhook_secret: 'shh-hook-secret',
    accept_unset_model_ratio_model: false,
    record_ip_log: true,
  }
  expect((await save(family)).json).toEqual({ success: true, message: '', data: null })
  const webhook = { ...untouched, notify_type: 'webhook', webhook_url: publicHook, webhook_secret_set: true }
  expect(await shown()).toEqual({ ...webhook, quota_warning_threshold: 500_000 })
  expect((await save({ ...family, webhook_secret: '', quota_warning_threshold: 1 })).json.success).toBe(true)
  expect(await shown()).toEqual({ ...webhook, quota_warning_threshold: 1 })
  expect((await save({ ...family, webhook_secret: '', webhook_url: `${publicHook}2` })).json.success).toBe(
    true,
  )
  expect(await shown()).toMatchObject({ webhook_url: `${publicHook}2`, webhook_secret_set: false })
})

test('secrets come out nowhere: in no answer, not in the database, not in the log', async () => {
  await save({ notify_type: 'webhook', webhook_url: publicHook, webhook_secret: 'shh-hook-secret' })
  const answers = [
    await ann.get('/api/user/setting'),
    await ann.get('/api/user/self'),
    await house.root.get('/api/user/'),
    await house.root.get(`/api/user/${ann.userId}`),
    await house.root.get('/api/audit?p=1&size=100'),
  ]
  for (const { text } of answers) expect(text).not.toContain('shh-hook-secret')
  for (const { text } of answers.slice(1)) expect(text).not.toContain('s3cret-path')
  expect(answers[4]?.text).toContain('93.184.216.34')
  const rows = JSON.stringify(house.database.query('select * from user_notices').all())
  expect(rows).toContain('way_sealed')
  expect(rows).not.toMatch(/shh-hook-secret|s3cret-path|93\.184/)
  expect(house.program.output()).not.toMatch(/shh-hook-secret|s3cret-path/)
})

test('mails go to another address when one is given; the operator’s rules hold for it', async () => {
  const mailbox = await Mailbox.open()
  await mailbox.connect(house.root)
  expect((await save({ notify_type: 'email', notification_email: 'Ops@Example.com' })).json.success).toBe(
    true,
  )
  expect(await shown()).toEqual({ ...untouched, notification_email: 'ops@example.com' })
  expect((await tryOut()).json).toEqual({ success: true, message: '', data: null })
  expect((await mailbox.last('ops@example.com')).subject).toContain('test mail')
  await house.root.saveOption('EmailDomainWhitelist', 'corp.example')
  await house.root.saveOption('EmailDomainRestrictionEnabled', 'true')
  expect((await save({ notify_type: 'email', notification_email: 'ann@example.com' })).json.success).toBe(
    false,
  )
  expect((await save({ notify_type: 'email' })).json.success).toBe(true)
  expect(await shown()).toEqual(untouched)
  await mailbox.close()
})

test('an account that is deleted takes its address with it', async () => {
  await house.root.post('/api/user/', { username: 'bob', password: 'good-password' })
  const bob = await loggedIn(house.program.url, 'bob', 'good-password')
  await bob.put('/api/user/setting', { notify_type: 'webhook', webhook_url: publicHook })
  const count = () =>
    house.database.query('select count(*) as n from user_notices where user_id = ?').get(bob.userId ?? 0)
  expect(count()).toEqual({ n: 1 })
  await bob.send('DELETE', '/api/user/self')
  expect(count()).toEqual({ n: 0 })
})
