import { expect, test } from 'bun:test'
import { waysIn } from './ways-in.ts'

const off = {
  github_oauth: false,
  discord_oauth: false,
  linuxdo_oauth: false,
  oidc_enabled: false,
  wechat_login: false,
  telegram_oauth: false,
  telegram_bot_id: '',
}

test('only what is switched on is offered, in a fixed order', () => {
  expect(waysIn(off)).toEqual([])
  expect(waysIn({ ...off, wechat_login: true, github_oauth: true })).toEqual(['github', 'wechat'])
  const all = Object.fromEntries(Object.keys(off).map(name => [name, true])) as Record<keyof typeof off, true>
  expect(waysIn({ ...all, telegram_bot_id: '1' })).toEqual([
    'oidc',
    'github',
    'discord',
    'linuxdo',
    'wechat',
    'telegram',
  ])
})

test('Telegram needs a bot to ask', () => {
  expect(waysIn({ ...off, telegram_oauth: true })).toEqual([])
})

test('who registers is not sent to Telegram, which knows only accounts that exist', () => {
  const on = { ...off, github_oauth: true, telegram_oauth: true, telegram_bot_id: '1' }
  expect(waysIn(on, 'login')).toEqual(['github', 'telegram'])
  expect(waysIn(on, 'register')).toEqual(['github'])
})
