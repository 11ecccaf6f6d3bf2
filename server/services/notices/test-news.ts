import type { Endpoints } from '../../../contract/index.ts'
import type { Language } from '../../../contract/language.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../app.ts'
import type { CallOf } from '../call.ts'
import type { Notice } from './formats.ts'
import { tryOperatorHook } from './operator-news.ts'

const words: Record<Language, { title(site: string): string; content: string }> = {
  zh: { title: site => `${site} 测试消息`, content: '收到这条消息，说明设置可以使用。' },
  en: { title: site => `${site}: test message`, content: 'You have this message, so the settings work.' },
}

export function testNews({ settings }: Pick<App, 'settings'>, language: Language): Omit<Notice, 'timestamp'> {
  const { title, content } = words[language]
  return { type: 'test', title: title(settings.get('SystemName')), content, values: [] }
}

export async function sendTestNews(app: App, { language }: CallOf<Endpoints['testNews']>): Promise<void> {
  if (app.settings.get('OpsWebhookUrl') === '') throw new AppError('notice.no-webhook')
  await tryOperatorHook(app, testNews(app, language))
}
