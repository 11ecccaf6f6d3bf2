import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { settingKeys, settings } from '../contract/settings/index.ts'
import { statusDocument } from '../contract/system.ts'
import { Client, rootClient } from './client.ts'
import { type Program, ROOT_PASSWORD, startProgram } from './program.ts'

const moderator = { by: 'model', model: 'm', categories: {}, seconds: 5, otherwise: 'allow' }
const hook = { by: 'webhook', url: 'https://a.example', seconds: 1, otherwise: 'allow' }

let program: Program
let root: Client
let database: Database

beforeAll(async () => {
  program = await startProgram({ ROOT_PASSWORD })
  root = await rootClient(program.url)
  await root.saveOption('GlobalApiRateLimit', '0')
  database = new Database(join(program.dataDir, 'tollgate.db'), { readonly: true })
})
afterAll(async () => {
  database.close()
  await program.stop()
})

async function options(): Promise<Record<string, string>> {
  const rows = (await root.get('/api/option/')).json.data as { key: string; value: string }[]
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}
const stored = (key: string) =>
  (database.query('select value from options where key = ?').get(key) as { value: string } | null)?.value

describe('reading settings', () => {
  test('every readable key is there as text, with the family’s defaults; no secret is', async () => {
    const all = await options()
    expect(Object.keys(all).sort()).toEqual(settingKeys.filter(key => !settings[key].secret).sort())
    expect(all).toMatchObject({
      PasswordLoginEnabled: 'true',
      EmailVerificationEnabled: 'false',
      RetryTimes: '0',
      SMTPPort: '587',
      Price: '7.3',
      MinTopUp: '1',
      QuotaPerUnit: '500000',
      PreConsumedQuota: '500',
      ChannelDisableThreshold: '5',
      QuotaRemindThreshold: '1000',
      DataExportInterval: '5',
      DataExportDefaultTime: 'hour',
      SensitiveWords: 'test_sensitive',
      EmailDomainWhitelist:
        'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com',
    })
    expect(JSON.parse(all.TopupGroupRatio ?? '')).toEqual({ default: 1, vip: 1, svip: 1 })
    expect(JSON.parse(all.Chats ?? '')).toHaveLength(4)
  })

  test('the status document has every field, whatever the language', async () => {
    const { data } = (await new Client(program.url).get('/api/status')).json
    expect(Object.keys(data).sort()).toEqual(Object.keys(statusDocument.shape).sort())
    expect(data).toMatchObject({
      quota_per_unit: 500000,
      price: 7.3,
      server_address: 'http://localhost:3000',
    })
  })

  test('a long answer is squeezed for those who take it', async () => {
    const headers = { cookie: `session=${root.cookie}`, 'new-api-user': `${root.userId}` }
    const length = async (encoding: string) => {
      const response = await fetch(`${program.url}/api/option/`, {
        headers: { ...headers, 'accept-encoding': encoding },
        decompress: false,
      })
      return [response.headers.get('content-encoding'), (await response.arrayBuffer()).byteLength] as const
    }
    const [plain, squeezed] = [await length('identity'), await length('gzip, br')]
    expect([plain[0], squeezed[0]]).toEqual([null, 'gzip'])
    expect(squeezed[1]).toBeLessThan(plain[1] / 2)
  })

  test('notice, about and home page are strings even when nothing is set', async () => {
    for (const path of [
      '/api/notice',
      '/api/about',
      '/api/home_page_content',
      '/api/user-agreement',
      '/api/privacy-policy',
    ])
      expect((await new Client(program.url).get(path)).json).toEqual({ success: true, message: '', data: '' })
  })
})

const listOf = (count: number, entry: object) => JSON.stringify(Array.from({ length: count }, () => entry))

describe('what the dashboard tells', () => {
  const told = async () => (await new Client(program.url).get('/api/status')).json.data

  test('is part of the status as long as it is switched on', async () => {
    const address = { url: 'https://a.example', route: 'a', description: '', color: 'red' }
    expect(await told()).toMatchObject({ api_info_enabled: true, api_info: [], announcements: [], faq: [] })
    await root.saveOption('ApiInfo', listOf(2, address))
    await root.saveOption('FAQ', listOf(1, { question: 'a', answer: '**b**' }))
    expect(await told()).toMatchObject({
      ...{ api_info: [address, address], faq_enabled: true, faq: [{ question: 'a', answer: '**b**' }] },
    })
    for (const key of ['ApiInfoEnabled', 'FAQEnabled']) await root.saveOption(key, 'false')
    expect(await told()).toMatchObject({ api_info_enabled: false, api_info: [], faq_enabled: false, faq: [] })
  })

  test('are the twenty newest announcements, whatever their order and zone', async () => {
    const on = (publishDate: string) => ({ content: publishDate, publishDate, type: 'default', extra: '' })
    const days = Array.from(
      { length: 22 },
      (_, day) => `2026-03-${String(day + 1).padStart(2, '0')}T12:00:00Z`,
    )
    const latest = '2026-03-22T11:30:00-02:00'
    await root.saveOption('Announcements', JSON.stringify([latest, ...days].map(on)))
    const { announcements } = await told()
    expect(announcements.map(({ content }: { content: string }) => content)).toEqual(
      [...days.slice(3), latest].reverse(),
    )
  })
})

describe('saving settings', () => {
  test('a value is stored and in force at once', async () => {
    await root.saveOption('SystemName', '收费站')
    expect((await new Client(program.url).get('/api/status')).json.data.system_name).toBe('收费站')
    await root.saveOption('Notice', '<b>hi</b>')
    expect((await new Client(program.url).get('/api/notice')).json.data).toBe('<b>hi</b>')
    const flags = async () => {
      const { data } = (await new Client(program.url).get('/api/status')).json
      return [data.user_agreement_enabled, data.privacy_policy_enabled]
    }
    expect(await flags()).toEqual([false, false])
    await root.saveOption('UserAgreement', '# Terms')
    await root.saveOption('PrivacyPolicy', ' \n')
    expect(await flags()).toEqual([true, false])
    expect((await new Client(program.url).get('/api/user-agreement')).json.data).toBe('# Terms')
    await root.put('/api/option/', { key: 'DrawingEnabled', value: false })
    expect((await new Client(program.url).get('/api/status')).json.data.enable_drawing).toBe(false)
  })

  test.each([
    ['GroupRatio', '{"default": 1', '不是合法的 JSON 字符串'],
    ['GroupRatio', '{"default": -1}', 'group ratio must be not less than 0: default'],
    ['GroupRatio', '{"a": 1, "a": 2}', '名称重复：a'],
    ['GroupRatio', '{"__proto__": 1}', '不是合法的 JSON 字符串'],
    ['GroupRatio', '[1]', '结构不正确'],
    ['UserUsableGroups', '{"default": 5}', '结构不正确'],
    ['GroupGroupRatio', '{"a": {"b": 1}', '不是合法的 JSON 字符串'],
    ['GroupGroupRatio', '{"a": 1}', '结构不正确（a）'],
    ['GroupGroupRatio', '{"a": {"b": "1"}}', '结构不正确（a.b）'],
    ['GroupGroupRatio', '{"a": {"b": 1e400}}', '结构不正确（a.b）'],
    ['GroupGroupRatio', '{"a": {"b": 1000000001}}', '结构不正确（a.b）'],
    ['GroupGroupRatio', '{"a": {"b": 1}, "c": {"d": -0.5}}', 'group ratio must be not less than 0: d'],
    ['GroupGroupRatio', '{"a": {"b": 1, "b": 2}}', '名称重复：b'],
    ['GroupGroupRatio', '{"a": {"__proto__": 1}}', '不是合法的 JSON 字符串'],
    ['GroupGroupRatio', '{"": {"b": 1}}', '结构不正确'],
    ['GroupGroupRatio', '[]', '结构不正确'],
    ['ApiInfo', '[{"url": "ftp://a.example", "route": "a", "description": "", "color": "red"}]', '（0.url）'],
    [
      'ApiInfo',
      '[{"url": "https://a.example", "route": "", "description": "", "color": "red"}]',
      '（0.route）',
    ],
    [
      'ApiInfo',
      listOf(31, { url: 'https://a.example', route: 'a', description: '', color: 'red' }),
      '最多 30 条',
    ],
    [
      'Announcements',
      '[{"content": "a", "publishDate": "2026-01-01", "type": "default", "extra": ""}]',
      '（0.publishDate）',
    ],
    [
      'Announcements',
      '[{"content": "a", "publishDate": "2026-01-01T00:00:00Z", "type": "loud", "extra": ""}]',
      '（0.type）',
    ],
    ['FAQ', listOf(51, { question: 'a', answer: 'b' }), '最多 50 条'],
    ['FAQ', listOf(1, { question: 'a', answer: 'b'.repeat(1001) }), '（0.answer）'],
    ['FAQ', listOf(25, { question: 'a', answer: 'b'.repeat(1000) }), '总长度最多 20000 个字符'],
    ['AutoGroups', 'default,vip', '不是合法的 JSON 字符串'],
    ['AutoGroups', '{"default": 1}', '结构不正确'],
    ['AutoGroups', '["default", 5]', '结构不正确（1）'],
    ['AutoGroups', '["default", ""]', '结构不正确（1）'],
    ['AutoGroups', '["default", "auto"]', '结构不正确（1）'],
    ['AutoGroups', '["__proto__"]', '结构不正确（0）'],
    ['AutoGroups', '["vip", "vip"]', '结构不正确'],
    ['AutoGroups', JSON.stringify(Array.from({ length: 101 }, (_, at) => `g${at}`)), '结构不正确'],
    ['ModelFallbacks', '{"a": "b"}', '结构不正确（a）'],
    ['ModelFallbacks', '{"a": ["b", 5]}', '结构不正确（a.1）'],
    ['ModelFallbacks', '{"a": ["b", ""]}', '结构不正确（a.1）'],
    ['ModelFallbacks', '["a"]', '结构不正确'],
    ['ModelFallbacks', '{"a": ["b"], "a": ["c"]}', '名称重复：a'],
    ['ModelFallbacks', '{"a": ["b", "a"]}', 'a 不能回退到自身'],
    ['ModelFallbacks', '{"a": ["b", "*"]}', 'a 的列表中不能有 *'],
    ['ModelFallbacks', '{"a": ["b", "c", "b"]}', 'a 的列表中 b 重复'],
    [
      'ModelFallbacks',
      JSON.stringify({ a: Array.from({ length: 11 }, (_, at) => `m${at}`) }),
      'a 最多 10 个模型',
    ],
    ['ContextWindowFallbacks', '{"a": ["a"]}', 'a 不能回退到自身'],
    ['ContentPolicyFallbacks', '{"a": "b"}', '结构不正确（a）'],
    ['Guards', '{}', '结构不正确'],
    ['Guards', guard({ action: 'ignore' }), '结构不正确（0.action）'],
    ['Guards', guard({ where: [] }), '结构不正确（0.where）'],
    ['Guards', guard({ more: 1 }), '结构不正确（0）'],
    ['Guards', guard({ looks: { by: 'kinds', kinds: ['shoe-size'] } }), '结构不正确（0.looks.kinds.0）'],
    ['Guards', guard({ looks: { by: 'words', words: [' '] } }), '结构不正确（0.looks.words.0）'],
    ['Guards', guard({ looks: { by: 'pattern', pattern: '(a' } }), 'r：正则表达式无法使用：('],
    ['Guards', guard({ looks: { by: 'pattern', pattern: '(?=a)b' } }), 'r：正则表达式无法使用：(?='],
    ['Guards', guard({ looks: { by: 'pattern', pattern: '(a)\\1' } }), 'r：正则表达式无法使用：'],
    ['Guards', guard({ looks: { by: 'pattern', pattern: 'a*' } }), 'r：正则表达式不能匹配空文本'],
    [
      'Guards',
      guard({ looks: { ...hook, url: 'ftp://a' } }),
      'r：Webhook 必须是以 http:// 或 https:// 开头的地址',
    ],
    ['Guards', guard({ looks: { ...hook, seconds: 31 } }), '结构不正确（0.looks.seconds）'],
    ['Guards', guard({ looks: { ...hook, secret: 5 } }), '结构不正确（0.looks.secret）'],
    ['Guards', guard({ looks: { ...hook, secret: '******' } }), '请重新输入密钥：r'],
    ['Guards', guard({ looks: { ...hook, secret: 'x'.repeat(501) } }), '密钥最多 500 个字符：r'],
    ['Guards', guard({ looks: { ...moderator, model: '' } }), '结构不正确（0.looks.model）'],
    [
      'Guards',
      guard({ looks: { ...moderator, categories: { hate: 1.5 } } }),
      '结构不正确（0.looks.categories.hate）',
    ],
    ['Guards', guard({ looks: moderator }), 'r：模型只判断有没有问题，不指出在哪里'],
    ['Guards', guard({}, {}), 'r：名称重复'],
    ['Guards', guard(...Array.from({ length: 51 }, (_, at) => ({ name: `r${at}` }))), '最多 50 条规则'],
    ['DefaultUseAutoGroup', '1', 'true 或 false'],
    ['Chats', '{"a": "b"}', '结构不正确'],
    ['ModelPrice', 'nonsense', '不是合法的 JSON 字符串'],
    ['ModelRatio', '{"m": "1"}', '结构不正确'],
    ['CompletionRatio', '{"m": 1e400}', '结构不正确'],
    ['TopupGroupRatio', '', '不是合法的 JSON 字符串'],
    ['QuotaForNewUser', '-1', '整数'],
    ['QuotaForNewUser', '0.5', '整数'],
    ['QuotaForNewUser', '9007199254740993', '整数'],
    ['QuotaForNewUser', '1e400', '整数'],
    ['QuotaForNewUser', '9007199254740991', '0 到 1000000000000 之间的整数'],
    ['QuotaForInvitee', '9007199254740991', '0 到 1000000000000 之间的整数'],
    ['QuotaForInviter', '9007199254740991', '0 到 1000000000000 之间的整数'],
    ['SMTPPort', '0', '1 到 65535'],
    ['Price', '1e3', '数字'],
    ['PasswordLoginEnabled', 'yes', 'true 或 false'],
    ['DataExportDefaultTime', 'year', 'hour, day, week'],
    ['ServerAddress', 'javascript:alert(1)', 'http'],
    ['ServerAddress', 'https://gate.example/?lang=zh', '不能含有 ? 或 #'],
    ['ServerAddress', 'https://gate.example/#/login', '不能含有 ? 或 #'],
    ['WorkerUrl', 'http://worker.example', 'https'],
    ['EmailDomainWhitelist', 'not a domain', '域名'],
    ['NoSuchSetting', 'x', '未知的设置项'],
    ['__proto__', 'x', '未知的设置项'],
  ])('refuses %s = %p and stores nothing', async (key, value, message) => {
    const before = stored(key)
    const answer = await root.saveOption(key, value)
    expect(answer.json.success).toBe(false)
    expect(answer.json.message).toContain(message)
    expect(stored(key)).toBe(before as string)
  })

  test.each([
    ['BatchRatio', '0.0000001', '0.0000001'],
    ['Price', '0.000000001', '0.000000001'],
    ['Price', '123456.789', '123456.789'],
    ['ServerAddress', ' Https://Gate.Example/Sub/ ', 'https://gate.example/Sub'],
    ['SystemName', '  ', 'Tollgate'],
  ])('what is saved is in force: %s = %p', async (key, value, meant) => {
    const before = (await options())[key] ?? ''
    expect((await root.saveOption(key, value)).json.success).toBe(true)
    expect((await options())[key]).toBe(meant)
    await root.saveOption(key, before)
  })

  test('a refusal is told in English to those who ask for it', async () => {
    const answer = await root.send('PUT', '/api/option', {
      body: { key: 'SMTPPort', value: 'x' },
      headers: { 'accept-language': 'en' },
    })
    expect(answer.json.message).toBe('SMTPPort: must be a whole number from 1 to 65535')
  })

  test.each([
    ['{"a": ["a"]}', 'a: a model is no fallback for itself'],
    ['{"*": ["b", "*"]}', '*: * cannot stand in a list'],
    ['{"a": ["b", "b"]}', 'a: b is listed twice'],
    [JSON.stringify({ a: [...'bcdefghijkl'] }), 'a: at most 10 models'],
  ])('so are those of ModelFallbacks = %p', async (value, message) => {
    const answer = await root.send('PUT', '/api/option', {
      body: { key: 'ModelFallbacks', value },
      headers: { 'accept-language': 'en' },
    })
    expect(answer.json.message).toBe(`ModelFallbacks: ${message}`)
  })

  test.each([
    ['GitHubOAuthEnabled', ['GitHubClientId', 'GitHubClientSecret']],
    ['LinuxDOOAuthEnabled', ['LinuxDOClientId', 'LinuxDOClientSecret']],
    ['TelegramOAuthEnabled', ['TelegramBotToken', 'TelegramBotName']],
    ['TurnstileCheckEnabled', ['TurnstileSiteKey', 'TurnstileSecretKey']],
  ])('%s needs %p first', async (flag, needed) => {
    expect((await root.saveOption(flag, 'true')).json.success).toBe(false)
    for (const key of needed) expect((await root.saveOption(key, 'some-value')).json.success).toBe(true)
    expect((await root.saveOption(flag, 'true')).json.success).toBe(true)
    await root.saveOption(flag, 'false')
  })

  test('Discord, WeChat, the domain whitelist and payment need their settings first too', async () => {
    for (const key of ['DiscordClientId', 'DiscordClientSecret']) await root.saveOption(key, 'some-value')
    expect((await root.saveOption('DiscordOAuthEnabled', 'true')).json.message).toContain('服务器地址')
    expect((await root.saveOption('WeChatAuthEnabled', 'true')).json.message).toContain('微信')
    await root.saveOption('WeChatServerAddress', 'https://wechat.example')
    await root.saveOption('WeChatServerToken', 'wechat-token')
    expect((await root.saveOption('WeChatAuthEnabled', 'true')).json.success).toBe(true)
    await root.saveOption('EmailDomainWhitelist', '')
    expect((await root.saveOption('EmailDomainRestrictionEnabled', 'true')).json.message).toContain(
      '邮箱域名',
    )
    expect((await root.saveOption('PayAddress', 'https://pay.example')).json.message).toBe(
      '请先填写服务器地址',
    )
  })

  test('what something in use needs is not taken away from it', async () => {
    const set = async (values: Record<string, string>) => {
      for (const [key, value] of Object.entries(values))
        expect([key, (await root.saveOption(key, value)).json.message]).toEqual([key, ''])
    }
    // Without its keys the captcha would let nobody in any more, to switch it off least of all.
    await set({ TurnstileSiteKey: 'site', TurnstileSecretKey: 'secret', TurnstileCheckEnabled: 'true' })
    for (const key of ['TurnstileSiteKey', 'TurnstileSecretKey'])
      expect((await root.saveOption(key, '')).json.message).toBe(
        '“登录与注册 · 启用 Turnstile 用户校验”仍需要此项，请先关闭或清空它',
      )
    await set({ TurnstileSecretKey: 'another', TurnstileCheckEnabled: 'false', TurnstileSiteKey: '' })
    // Whoever paid would never have it credited: gateways would be told to answer to localhost.
    await set({ ServerAddress: 'https://gate.example', PayAddress: 'https://pay.example' })
    const english = { body: { key: 'ServerAddress', value: '' }, headers: { 'accept-language': 'en' } }
    expect((await root.send('PUT', '/api/option/', english)).json.message).toBe(
      '“Payment · Payment address” needs this: switch that off or clear it first',
    )
    expect((await options()).ServerAddress).toBe('https://gate.example')
    await set({ PayAddress: '', ServerAddress: '' })
  })

  test('a secret goes in, is sealed on disk, and never comes out', async () => {
    const secret = 'smtp-secret-value-1234'
    expect((await root.saveOption('SMTPToken', secret)).json.success).toBe(true)
    const listed = await root.get('/api/option/')
    expect(listed.text).not.toContain(secret)
    expect(listed.json.secrets_set).toContain('SMTPToken')
    expect(stored('SMTPToken')).toStartWith('v1.')
    expect(stored('SMTPToken')).not.toContain(secret)
    expect(program.output()).not.toContain(secret)
    await root.saveOption('SMTPToken', '')
    expect((await root.get('/api/option/')).json.secrets_set).not.toContain('SMTPToken')
  })

  test('a body that is no JSON is 400, JSON that is no object is refused, and neither changes anything', async () => {
    const headers = { cookie: `session=${root.cookie}`, 'new-api-user': `${root.userId}` }
    const before = (await root.get('/api/option/')).text
    const bodies = [
      ['{', 400, '无效的参数'],
      ['\xff\xfe', 400, '无效的参数'],
      ['['.repeat(100_000), 400, '无效的参数'],
      ['"x"', 200, '输入不合法 body: 必须是对象'],
      ['[]', 200, '输入不合法 body: 必须是对象'],
    ] as const
    for (const [body, status, message] of bodies) {
      const response = await fetch(`${program.url}/api/option/`, { method: 'PUT', headers, body })
      const answer = await response.json()
      expect([response.status, answer]).toEqual([status, { success: false, message, data: null }])
    }
    expect((await root.get('/api/option/')).text).toBe(before)
  })
})

/** Guards that differ from a good one in this. */
function guard(...differences: readonly object[]): string {
  const good = {
    name: 'r',
    enabled: true,
    where: ['input'],
    groups: [],
    models: [],
    looks: { by: 'words', words: ['a'] },
    action: 'mask',
  }
  return JSON.stringify(differences.map(other => ({ ...good, ...other })))
}
