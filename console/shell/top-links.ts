import { shellText } from '../locales/catalogue.ts'
import { landingPath } from '../navigation.ts'
import { type ScreenPath, useScreenPaths } from '../screen-paths.ts'
import { useUser } from '../session.ts'
import { useStatus } from '../status.ts'
import { useText } from '../text.ts'

interface TopLink {
  readonly to: ScreenPath
  readonly label: string
  /** Leads into the console, and stands for all of it. */
  readonly isConsole?: true
}

/** The links of the top bar, in order. "Console" leads where a login leads. */
export function useTopLinks(): TopLink[] {
  const t = useText(shellText)
  const user = useUser()
  const status = useStatus()
  const screens = useScreenPaths()
  const console = user ? landingPath(user.role, screens) : '/login'
  return [
    { to: '/', label: t('nav.home') },
    ...(console === '/' ? [] : [{ to: console, label: t('nav.console'), isConsole: true } as const]),
    { to: '/pricing', label: t('nav.pricing') },
    ...(status?.rankings_enabled ? [{ to: '/rankings', label: t('nav.rankings') } as const] : []),
    { to: '/about', label: t('nav.about') },
  ]
}
