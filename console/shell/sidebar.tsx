import { ActionIcon } from '@mantine/core'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { useState } from 'react'
import { shellText } from '../locales/catalogue.ts'
import { useStatus } from '../status.ts'
import { readStored, store } from '../storage.ts'
import { useText } from '../text.ts'
import { useTight } from '../ui/use-narrow.ts'
import { ItemList } from './item-list.tsx'
import styles from './sidebar.module.css'

/** Someone's own choice outlives the installation's default. A tablet has more use for the room than for the words. */
function useCollapsed(): [boolean, (collapsed: boolean) => void] {
  const isTight = useTight()
  const byDefault = useStatus()?.default_collapse_sidebar || isTight
  const [chosen, setChosen] = useState(() => readStored('sidebar-collapsed'))
  const choose = (collapsed: boolean) => {
    store('sidebar-collapsed', String(collapsed))
    setChosen(String(collapsed))
  }
  return [chosen === null ? byDefault : chosen === 'true', choose]
}

export function Sidebar() {
  const t = useText(shellText)
  const [collapsed, setCollapsed] = useCollapsed()
  const Icon = collapsed ? PanelLeftOpen : PanelLeftClose
  return (
    <aside className={styles.sidebar} data-collapsed={collapsed || undefined} aria-label={t('shell.sidebar')}>
      <ItemList collapsed={collapsed} />
      <ActionIcon
        variant="subtle"
        size={32}
        className={styles.toggle}
        aria-label={collapsed ? t('shell.expand') : t('shell.collapse')}
        onClick={() => setCollapsed(!collapsed)}
      >
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </aside>
  )
}
