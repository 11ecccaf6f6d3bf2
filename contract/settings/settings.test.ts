import { describe, expect, test } from 'bun:test'
import type { Setting } from './define.ts'
import { duplicateKey } from './duplicate-key.ts'
import { type SettingKey, settingKeys, settings } from './index.ts'
import { sections } from './sections.ts'

describe.each(settingKeys.map(key => [key, settings[key] as Setting] as const))('%s', (_key, setting) => {
  test('its default survives the wire', () => {
    expect(setting.decode(setting.encode(setting.default))).toEqual(setting.default)
  })

  test('it is not both secret and public', () => {
    expect([setting.secret, setting.visible]).not.toEqual([true, 'public'])
  })

  test('it is labelled in both languages and stands in a section', () => {
    for (const text of [setting.label, setting.help ?? setting.label]) {
      expect(text.zh.length).toBeGreaterThan(0)
      expect(text.en).not.toMatch(/[一-鿿]/)
    }
    expect(Object.keys(sections)).toContain(setting.section)
  })
})

test('chat presets that were written into one entry stand apart', () => {
  const { Chats } = settings
  expect(
    Chats.decode('[{"a": "https://a.example", "b": "https://b.example"}, {}, {"c": "https://c.example"}]'),
  ).toEqual([{ a: 'https://a.example' }, { b: 'https://b.example' }, { c: 'https://c.example' }])
  // However they are written, there are no more than can be read again.
  const many = (count: number) =>
    JSON.stringify([
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`app ${at}`, 'https://a.example'])),
    ])
  const most = Chats.decode(many(100))
  expect(Chats.decode(Chats.encode(most))).toEqual(most)
  expect(() => Chats.decode(many(101))).toThrow('must have at most 100 entries')
})

test.each([
  ['PayAddress', 'https://pay.example/submit.php', 'https://pay.example'],
  ['PayAddress', 'https://pay.example/pay/mapi.php', 'https://pay.example/pay'],
  ['CustomCallbackAddress', 'https://gate.example/api/user/epay/notify/', 'https://gate.example'],
  ['OIDCIssuer', 'https://sso.example/a/.well-known/openid-configuration', 'https://sso.example/a'],
  ['TelegramBotName', '@a_bot', 'a_bot'],
  ['TelegramBotName', 'https://t.me/a_bot', 'a_bot'],
  ['SMTPFrom', 'Gate <a@mail.example>', 'a@mail.example'],
  ['SMTPFrom', 'a@mail.example', 'a@mail.example'],
  ['SMTPServer', '2001:db8::25', '2001:db8::25'],
] as const)('%s of %p is %p', (key, copied, meant) => {
  expect<string>(settings[key].decode(copied)).toBe(meant)
})

test('a mail server’s port has a place of its own', () => {
  expect(() => settings.SMTPServer.decode('mail.example:465')).toThrow('must be a host name')
})

test('what the family withholds as secret is secret here, but for the key that every page shows', () => {
  const named = settingKeys.filter(key => /(Token|Secret|Key)$/.test(key))
  const open: SettingKey[] = named.filter(key => !settings[key].secret)
  expect(open).toEqual(['TurnstileSiteKey'])
})

test.each([
  ['{"a":1,"b":2}', undefined],
  ['{"a":1,"a":2}', 'a'],
  ['{"a":{"x":1},"b":{"x":1}}', undefined],
  ['{"a":{"x":1,"y":["x"],"x":2}}', 'x'],
  ['{"a":"b","b":"a"}', undefined],
  ['{"\\u0061":1,"a":2}', 'a'],
  ['{"a\\"b":1, "c" : [{"c":1}], "a\\"b" :2}', 'a"b'],
  ['[]', undefined],
])('the twice-given key of %s is %p', (text, key) => {
  expect(duplicateKey(text)).toBe(key as string)
})
