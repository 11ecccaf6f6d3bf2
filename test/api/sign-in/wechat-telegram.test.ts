import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash, createHmac } from 'node:crypto'
import { type House, openHouse } from './sign-in-house.ts'
import { secrets, startProviders } from './sign-in-stand-in.ts'

const BOT = '123456:bot-token'
let house: House
let providers: ReturnType<typeof startProviders>

beforeAll(async () => {
  providers = startProviders()
  house = await openHouse({
    WeChatServerAddress: providers.url,
    WeChatServerToken: secrets.wechatToken,
    WeChatAuthEnabled: 'true',
    TelegramBotToken: BOT,
    TelegramBotName: 'gate_bot',
    TelegramOAuthEnabled: 'true',
  })
})
afterAll(async () => {
  providers.stop()
  await house.close()
})

describe('WeChat', () => {
  test('a code logs in, registers and binds, once', async () => {
    providers.followers.set('111', 'open-id-1')
    const client = house.browser()
    const first = await client.get('/api/oauth/wechat?code=111')
    expect(first.json.data).toMatchObject({ wechat_id: 'open-id-1', display_name: 'WeChat User' })
    expect(first.json.data.username).toStartWith('wechat_')
    expect((await house.browser().get('/api/oauth/wechat?code=111')).json.message).toBe('验证码错误或已过期')
    expect((await house.browser().get('/api/oauth/wechat')).json.message).toBe('无效的参数')

    providers.followers.set('222', 'open-id-2')
    const bound = await house.addUser('wechat-bind')
    expect((await bound.get('/api/oauth/wechat/bind?code=222')).json.success).toBe(true)
    expect((await bound.get('/api/user/self')).json.data.wechat_id).toBe('open-id-2')
    providers.followers.set('333', 'open-id-1')
    expect((await bound.get('/api/oauth/wechat/bind?code=333')).json.message).toBe('该微信账号已被绑定')
    expect((await house.browser().get('/api/oauth/wechat/bind?code=444')).status).toBe(401)
    // No link that someone is made to open can bind: the user header is needed.
    providers.followers.set('555', 'open-id-9')
    expect((await bound.get('/api/oauth/wechat/bind?code=555', { 'new-api-user': '' })).status).toBe(401)
    expect(providers.refusals).toEqual([])
  })
})

describe('Telegram', () => {
  const signed = (fields: Record<string, string | number>, token = BOT) => {
    const given = { auth_date: Math.floor(Date.now() / 1000), ...fields }
    const lines = Object.entries(given)
      .map(([name, value]) => `${name}=${value}`)
      .sort()
    const key = createHash('sha256').update(token).digest()
    const hash = createHmac('sha256', key).update(lines.join('\n')).digest('hex')
    return new URLSearchParams({
      ...Object.fromEntries(Object.entries(given).map(([n, v]) => [n, String(v)])),
      hash,
    }).toString()
  }

  test('the status tells the number of the bot, and of its token nothing else', async () => {
    const { text, json } = await house.browser().get('/api/status')
    expect(json.data.telegram_bot_id).toBe('123456')
    expect(text).not.toContain('bot-token')
  })

  test('binds first, then logs in; it never registers', async () => {
    const person = { id: 4242, first_name: 'Ада', username: 'ada', photo_url: 'https://t.me/i/ada.jpg' }
    const before = house.rows('select count(*) as n from users')
    expect(
      (await house.browser().get(`/api/oauth/telegram/login?${signed({ ...person, lang: 'en' })}`)).json
        .message,
    ).toBe('该 Telegram 账户未绑定')
    expect(house.rows('select count(*) as n from users')).toEqual(before)
    const client = await house.addUser('telegram-user')
    expect(
      (await client.get(`/api/oauth/telegram/bind?${signed({ ...person, nonce: 1 })}`)).json.success,
    ).toBe(true)
    const query = signed({ ...person, nonce: 2 })
    const back = house.browser()
    expect((await back.get(`/api/oauth/telegram/login?${query}`)).json.data.username).toBe('telegram-user')
    expect((await back.get('/api/user/self')).json.data.telegram_id).toBe('4242')
    expect((await house.browser().get(`/api/oauth/telegram/login?${query}`)).json.message).toBe('无效的请求')
    const other = await house.addUser('telegram-two')
    expect(
      (await other.get(`/api/oauth/telegram/bind?${signed({ ...person, nonce: 3 })}`)).json.message,
    ).toBe('该 Telegram 账户已被绑定')
    expect(
      (await other.get(`/api/oauth/telegram/bind?${signed({ id: 5, nonce: 4 })}`, { 'new-api-user': '' }))
        .status,
    ).toBe(401)
  })

  test('what is forged, altered, old or malformed is refused', async () => {
    const now = Math.floor(Date.now() / 1000)
    const good = signed({ id: 4242, first_name: 'Ada' })
    for (const query of [
      '',
      'id=4242',
      good.replace('4242', '4243'),
      `${good}&role=100`,
      good.replace(/hash=.*/, `hash=${'0'.repeat(64)}`),
      good.replace(/hash=.*/, 'hash=zz'),
      signed({ id: 4242 }, ''),
      signed({ id: 4242 }, 'another-token'),
      signed({ id: 4242, auth_date: now - 700 }),
      signed({ id: 4242, auth_date: now + 700 }),
      signed({ id: 4242, auth_date: 'soon' }),
      signed({ id: '42; drop' }),
      signed({ first_name: 'nobody' }),
    ]) {
      const { json, status } = await house.browser().get(`/api/oauth/telegram/login?${query}`)
      expect([query, status, json.message]).toEqual([query, 200, '无效的请求'])
    }
  })

  test('without a bot token nobody gets in by a signature with a blank one', async () => {
    // It cannot be taken away while it is needed; a database may come without one.
    house.database.exec("delete from options where key = 'TelegramBotToken'")
    await house.root.saveOption('Notice', '')
    const { json } = await house.browser().get(`/api/oauth/telegram/login?${signed({ id: 4242 }, '')}`)
    await house.root.saveOption('TelegramBotToken', BOT)
    expect(json.message).toBe('管理员未开启通过 Telegram 登录以及注册')
  })
})

test('nothing the program printed or recorded holds a secret', () => {
  const kept = house.program.output() + JSON.stringify(house.rows('select * from audit_records'))
  for (const secret of [secrets.wechatToken, BOT]) expect(kept).not.toContain(secret)
})
