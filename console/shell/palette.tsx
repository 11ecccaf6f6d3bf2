import '@mantine/core/styles/Modal.layer.css'
import '@mantine/spotlight/styles.layer.css'
import { useMantineColorScheme } from '@mantine/core'
import { createSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import {
  Footprints,
  House,
  Info,
  Keyboard,
  Languages,
  LogIn,
  LogOut,
  type LucideIcon,
  Search,
  SquareArrowRight,
  Tag,
  Trophy,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { roles } from '../../contract/users.ts'
import { shellText } from '../locales/catalogue.ts'
import { items } from '../navigation.ts'
import type { ScreenPath } from '../screen-paths.ts'
import { useUser } from '../session.ts'
import { setLanguage, useText } from '../text.ts'
import { useFocusReturn } from '../ui/layers/use-focus-return.ts'
import { useLayer } from '../ui/layers/use-layer.ts'
import { useNarrow } from '../ui/use-narrow.ts'
import { useLogout } from './account.ts'
import { itemIcons } from './item-list.tsx'
import { useJumps } from './jumps.ts'
import { languageNames } from './language-menu.tsx'
import { matchCommands } from './match-commands.ts'
import { closeOverlay, openKeys } from './overlays.ts'
import styles from './palette.module.css'
import { recordGroups } from './record-groups.tsx'
import { sectionGroup } from './section-group.tsx'
import { themeModes } from './theme-toggle.tsx'
import { PALETTE_FIELD, takeTyped } from './typed-ahead.ts'
import { useFoundRecords } from './use-found-records.ts'

const [store, spotlight] = createSpotlight()

/** Pages, actions and records, found by typing. */
export default function Palette() {
  const t = useText(shellText)
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const commands = usePaletteActions()
  const isRoot = useUser()?.role === roles.root
  // Too many to be listed unasked.
  const sections = isRoot && query.trim() !== '' ? [sectionGroup(t('nav.setting'), navigate)] : []
  const { records, isSearching } = useFoundRecords(query)
  useFocusReturn(true)
  useLayer(true, spotlight)
  useEffect(() => {
    spotlight.open()
    return spotlight.close
  }, [])
  useEffect(() => takeTyped(setQuery), [])
  useEffect(() => chooseFirst(query))
  return (
    <Spotlight
      store={store}
      actions={[...matchCommands([...commands, ...sections], query), ...recordGroups(t, records, navigate)]}
      filter={(_, matched) => matched}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      closeOnEscape={false}
      onSpotlightClose={closeOverlay}
      nothingFound={isSearching ? t('state.loading') : t('palette.nothing')}
      highlightQuery
      scrollable
      maxHeight={480}
      size={560}
      radius="lg"
      shadow="xl"
      transitionProps={{ transition: 'fade', duration: 120 }}
      overlayProps={{ backgroundOpacity: 0.4 }}
      attributes={{ content: { 'aria-label': t('shell.palette') } }}
      searchProps={{
        leftSection: <Search size={18} aria-hidden />,
        placeholder: t('palette.search'),
        'aria-label': t('palette.search'),
        id: PALETTE_FIELD,
      }}
      classNames={{
        content: styles.content,
        search: styles.search,
        actionsList: styles.actions,
        actionsGroup: styles.group,
        action: styles.action,
      }}
    />
  )
}

/** What comes up when nothing was listed is chosen as if it had been there: Enter opens it. */
function chooseFirst(query: string): void {
  const list = document.getElementById(store.getState().listId)
  if (query === '' || !list || list.querySelector('[data-selected]')) return
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
  store.updateState(state => ({ ...state, selected: 0 }))
}

const otherIcons: Partial<Record<ScreenPath, LucideIcon>> = {
  '/': House,
  '/pricing': Tag,
  '/rankings': Trophy,
  '/about': Info,
  '/login': LogIn,
}

/** The one that the page has in the sidebar, if it is there. */
function pageIcon(to: ScreenPath): LucideIcon {
  const item = items.find(({ path }) => path === to)
  return item ? itemIcons[item.id] : (otherIcons[to] ?? SquareArrowRight)
}

function usePaletteActions(): SpotlightActionGroupData[] {
  const t = useText(shellText)
  const user = useUser()
  const jumps = useJumps()
  const navigate = useNavigate()
  const logout = useLogout()
  const isNarrow = useNarrow()
  const { setColorScheme } = useMantineColorScheme()
  return [
    {
      group: t('palette.pages'),
      actions: jumps.map(({ letter, to, label }) => {
        const Icon = pageIcon(to)
        return {
          id: to,
          label,
          keywords: [to],
          leftSection: <Icon size={18} aria-hidden />,
          rightSection: <kbd className={styles.key}>g {letter}</kbd>,
          onClick: () => {
            navigate({ to }).catch(() => {})
          },
        }
      }),
    },
    {
      group: t('table.actions'),
      actions: [
        ...themeModes.map(({ mode, icon: Icon, label }) => ({
          id: `theme-${mode}`,
          label: t('palette.theme', { mode: t(label) }),
          keywords: ['theme', '主题', mode],
          leftSection: <Icon size={18} aria-hidden />,
          onClick: () => setColorScheme(mode),
        })),
        ...languageNames.map(({ language, name }) => ({
          id: `language-${language}`,
          label: t('palette.language', { name }),
          keywords: ['language', '语言', language],
          leftSection: <Languages size={18} aria-hidden />,
          onClick: () => {
            setLanguage(language).catch(() => {})
          },
        })),
        ...(isNarrow
          ? []
          : [
              {
                id: 'keys',
                label: t('keys.title'),
                keywords: ['keyboard', 'shortcuts', '快捷键'],
                leftSection: <Keyboard size={18} aria-hidden />,
                rightSection: <kbd className={styles.key}>?</kbd>,
                // The palette is still closing and would close whatever opened before it is done.
                onClick: () => {
                  setTimeout(openKeys, 150)
                },
              },
            ]),
        ...(user
          ? [
              {
                id: 'start',
                label: t('nav.start'),
                keywords: ['guide', 'start', '引导'],
                leftSection: <Footprints size={18} aria-hidden />,
                onClick: () => {
                  navigate({ to: '/start' }).catch(() => {})
                },
              },
              {
                id: 'logout',
                label: t('account.logout'),
                keywords: ['logout', '退出'],
                leftSection: <LogOut size={18} aria-hidden />,
                onClick: logout,
              },
            ]
          : []),
      ],
    },
  ]
}
