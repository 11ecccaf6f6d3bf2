import type { StatusDocument } from '../../contract/system.ts'

type Flags = Pick<
  StatusDocument,
  | 'github_oauth'
  | 'discord_oauth'
  | 'linuxdo_oauth'
  | 'oidc_enabled'
  | 'wechat_login'
  | 'telegram_oauth'
  | 'telegram_bot_id'
>
export type WayIn = 'oidc' | 'github' | 'discord' | 'linuxdo' | 'wechat' | 'telegram'

/** The third parties that are switched on, in order. Telegram knows only accounts that exist; who registers has none. */
export function waysIn(status: Flags, purpose: 'login' | 'register' = 'login'): WayIn[] {
  const on: Record<WayIn, boolean> = {
    oidc: status.oidc_enabled,
    github: status.github_oauth,
    discord: status.discord_oauth,
    linuxdo: status.linuxdo_oauth,
    wechat: status.wechat_login,
    telegram: purpose === 'login' && status.telegram_oauth && status.telegram_bot_id !== '',
  }
  return (['oidc', 'github', 'discord', 'linuxdo', 'wechat', 'telegram'] as const).filter(way => on[way])
}
