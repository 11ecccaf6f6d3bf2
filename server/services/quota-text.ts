import type { App } from './app.ts'

/** Quota as log texts have it: dollars when the site shows currency, units otherwise. */
export function quotaText({ settings }: App, quota: number): string {
  if (!settings.get('DisplayInCurrencyEnabled')) return `${quota} 点额度`
  return `＄${(quota / settings.get('QuotaPerUnit')).toFixed(6)} 额度`
}
