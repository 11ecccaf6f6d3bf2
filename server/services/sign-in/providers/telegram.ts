import { createHash, createHmac } from 'node:crypto'
import { AppError } from '../../../errors.ts'
import { isSameSecret } from '../../../store/same-secret.ts'
import type { App } from '../../app.ts'
import { openFlow } from '../flows.ts'
import type { Identity, Source } from './provider.ts'

const GOOD_FOR_SECONDS = 600
/** How far ahead of ours the widget's clock may be. */
const AHEAD_SECONDS = 60

export const telegram: Source = {
  name: 'Telegram',
  binding: 'telegram_id',
  prefix: 'telegram',
  off: 'oauth.telegram-off',
  taken: 'oauth.telegram-taken',
  isOn: settings => settings.TelegramOAuthEnabled && settings.TelegramBotToken !== '',
}

/** Whom the login widget vouches for: signed with the bot's token, fresh, and not shown before. */
export async function identifyTelegram(app: App, query: Readonly<Record<string, string>>): Promise<Identity> {
  if (!telegram.isOn(app.settings.all)) throw new AppError(telegram.off)
  const { hash = '', id = '', auth_date = '', first_name = '' } = query
  if (!isSigned(query, hash, app.settings.get('TelegramBotToken'))) throw new AppError('telegram.invalid')
  const age = app.now() - Number(auth_date)
  const fresh = /^\d{1,12}$/.test(auth_date) && age <= GOOD_FOR_SECONDS && age >= -AHEAD_SECONDS
  if (!fresh || !/^\d{1,20}$/.test(id)) throw new AppError('telegram.invalid')
  const seconds = GOOD_FOR_SECONDS + AHEAD_SECONDS
  const isFirst = await openFlow(app, { kind: 'telegram', key: hash.toLowerCase() }, { seconds })
  if (!isFirst) throw new AppError('telegram.invalid')
  return { id, displayName: first_name }
}

function isSigned(query: Readonly<Record<string, string>>, hash: string, botToken: string): boolean {
  const lines = Object.entries(query)
    .filter(([name]) => name !== 'hash')
    .map(([name, value]) => `${name}=${value}`)
    .sort()
  const key = createHash('sha256').update(botToken).digest()
  const right = createHmac('sha256', key).update(lines.join('\n')).digest('hex')
  return isSameSecret(right, hash.toLowerCase())
}
