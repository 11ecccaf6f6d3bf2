import { useMantineColorScheme } from '@mantine/core'
import { Monitor, Moon, Sun } from 'lucide-react'
import { useEffect } from 'react'
import { shellText } from '../locales/catalogue.ts'
import { useText } from '../text.ts'
import { MenuButton } from './menu-button.tsx'

export const themeModes = [
  { mode: 'light', icon: Sun, label: 'theme.day' },
  { mode: 'dark', icon: Moon, label: 'theme.dark' },
  { mode: 'auto', icon: Monitor, label: 'theme.system' },
] as const

export function ThemeToggle() {
  const t = useText(shellText)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Current = themeModes.find(({ mode }) => mode === colorScheme)?.icon ?? Monitor
  useThemeColour()
  return (
    <MenuButton
      square
      label={t('theme.title')}
      entries={themeModes.map(({ mode, icon: Icon, label }) => ({
        id: mode,
        label: t(label),
        icon: <Icon size={16} aria-hidden />,
        checked: mode === colorScheme,
        act: () => setColorScheme(mode),
      }))}
    >
      <Current size={18} aria-hidden />
    </MenuButton>
  )
}

/** The browser's own bar follows the top bar of the page. */
function useThemeColour(): void {
  useEffect(() => {
    const meta = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')
    const root = document.documentElement
    const follow = () => {
      if (meta) meta.content = getComputedStyle(root).getPropertyValue('--panel')
    }
    const observer = new MutationObserver(follow)
    observer.observe(root, { attributeFilter: ['data-mantine-color-scheme'] })
    return () => observer.disconnect()
  }, [])
}
