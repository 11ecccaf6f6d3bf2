import type { StatusDocument } from '../../contract/system.ts'

type Flags = Pick<
  StatusDocument,
  'github_oauth' | 'linuxdo_oauth' | 'wechat_login' | 'telegram_oauth' | 'telegram_bot_id'
>
export type WayIn = 'github' | 'linuxdo' | 'wechat' | 'telegram'

/** The third parties that are switched on, in order. */
export function waysIn(status: Flags): WayIn[] {
  const on: Record<WayIn, boolean> = {
    github: status.github_oauth,
    linuxdo: status.linuxdo_oauth,
    wechat: status.wechat_login,
    telegram: status.telegram_oauth && status.telegram_bot_id !== '',
  }
  return (['github', 'linuxdo', 'wechat', 'telegram'] as const).filter(way => on[way])
}
