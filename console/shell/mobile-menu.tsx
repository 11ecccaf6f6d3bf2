import '@mantine/core/styles/Drawer.layer.css'
import { Drawer, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { shellText } from '../locales/catalogue.ts'
import { useStatus } from '../status.ts'
import { useText } from '../text.ts'
import { Segments } from '../ui/fields/segments.tsx'
import { useLayer } from '../ui/layers/use-layer.ts'
import { useBalance } from './account.ts'
import { ItemList } from './item-list.tsx'
import styles from './sidebar.module.css'
import { themeModes } from './theme-toggle.tsx'
import { useTopLinks } from './top-links.ts'

/** The sidebar and the links of the top bar, as a sheet, where the screen has no room for either. */
export default function MobileMenu({ close }: { close(): void }) {
  const t = useText(shellText)
  const status = useStatus()
  const links = useTopLinks()
  const balance = useBalance()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(true), [])
  const shut = () => setOpened(false)
  useLayer(opened, { close: shut })
  return (
    <Drawer
      opened={opened}
      onClose={shut}
      closeOnEscape={false}
      onExitTransitionEnd={close}
      title={status?.system_name}
      size={300}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      transitionProps={{ duration: 180 }}
      overlayProps={{ backgroundOpacity: 0.4 }}
      attributes={{ header: { role: 'presentation' } }}
      classNames={{ content: styles.sheet, title: styles.sheetTitle, header: styles.sheetHeader }}
    >
      {balance !== undefined && (
        <p className={styles.sheetBalance}>
          <span>{t('account.balance')}</span> {balance}
        </p>
      )}
      <nav className={styles.items} aria-label={t('shell.topNavigation')}>
        {links.map(({ to, label }) => (
          <Link
            key={label}
            to={to}
            className={styles.item}
            activeOptions={{ exact: true, includeSearch: false }}
            onClick={shut}
          >
            {label}
          </Link>
        ))}
      </nav>
      <hr className={styles.rule} />
      <ItemList onFollow={shut} />
      <div className={styles.sheetTheme}>
        <span aria-hidden>{t('theme.title')}</span>
        <Segments
          label={t('theme.title')}
          value={colorScheme}
          options={themeModes.map(({ mode, label }) => ({ value: mode, label: t(label) }))}
          onChange={setColorScheme}
        />
      </div>
    </Drawer>
  )
}
