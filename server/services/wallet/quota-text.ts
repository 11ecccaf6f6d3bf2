import type { Language } from '../../../contract/language.ts'
import type { App } from '../app.ts'

/** Quota as log texts have it, which are Chinese: dollars when the site shows currency, units otherwise. */
export function quotaText(
  { settings }: Pick<App, 'settings'>,
  quota: number,
  language: Language = 'zh',
): string {
  const isMoney = settings.get('DisplayInCurrencyEnabled')
  const dollars = (quota / settings.get('QuotaPerUnit')).toFixed(6)
  if (language === 'en') return isMoney ? `$${dollars}` : `${quota} units`
  return isMoney ? `＄${dollars} 额度` : `${quota} 点额度`
}
