import { shellText } from '../locales/catalogue.ts'
import { visibleItems } from '../navigation.ts'
import { type ScreenPath, useScreenPaths } from '../screen-paths.ts'
import { useTeam, useUser } from '../session.ts'
import { useStatus } from '../status.ts'
import { useText } from '../text.ts'
import { itemLabels } from './item-labels.ts'

export interface Jump {
  readonly letter: string
  readonly to: ScreenPath
  readonly label: string
}

/** Every page one can go to from anywhere: for the palette, for `g` and for the list of keys. */
export function useJumps(): Jump[] {
  const t = useText(shellText)
  const user = useUser()
  const team = useTeam()
  const status = useStatus()
  const screens = useScreenPaths()
  const items = user ? visibleItems(user.role, status, screens, team) : []
  return [
    { letter: 'h', to: '/', label: t('nav.home') },
    ...items
      .filter(({ id }) => id !== 'chat')
      .map(({ id, path, letter }) => ({ letter, to: path, label: t(itemLabels[id]) })),
    { letter: 'v', to: '/pricing', label: t('nav.pricing') },
    ...(status?.rankings_enabled
      ? [{ letter: 'n', to: '/rankings', label: t('nav.rankings') } as const]
      : []),
    { letter: 'a', to: '/about', label: t('nav.about') },
    ...(user ? [] : [{ letter: 's', to: '/login', label: t('nav.login') } as const]),
  ]
}
