import { ActionIcon } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { Suspense, useState } from 'react'
import { shellText } from '../locales/catalogue.ts'
import { sidebarHidden } from '../navigation.ts'
import { useUser } from '../session.ts'
import { useStatus } from '../status.ts'
import { useText } from '../text.ts'
import { Logo } from '../ui/page/brand.tsx'
import { lazyPart } from '../ui/page/lazy-part.ts'
import { AccountMenu } from './account-menu.tsx'
import { FirstRunLink } from './first-run-link.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { openPalette } from './overlays.ts'
import styles from './shell.module.css'
import { ThemeToggle } from './theme-toggle.tsx'
import { useTopLinks } from './top-links.ts'

const MobileMenu = lazyPart(() => import('./mobile-menu.tsx'))

export function Header() {
  const t = useText(shellText)
  const status = useStatus()
  const links = useTopLinks()
  const loggedIn = useUser() !== null
  const { pathname } = useLocation()
  const inConsole =
    !sidebarHidden(pathname, loggedIn) && !links.some(({ to, isConsole }) => !isConsole && to === pathname)
  const [menuOpen, setMenuOpen] = useState(false)
  return (
    <header className={styles.header}>
      <ActionIcon
        variant="subtle"
        size={40}
        className={`${styles.narrow} ${styles.tool}`}
        aria-label={t('shell.menu')}
        aria-expanded={menuOpen}
        onClick={() => setMenuOpen(true)}
      >
        <MenuIcon size={20} aria-hidden />
      </ActionIcon>
      {menuOpen && (
        <Suspense>
          <MobileMenu close={() => setMenuOpen(false)} />
        </Suspense>
      )}
      <Link to="/" className={styles.brand}>
        <Logo src={status?.logo} size={22} />
        <span>{status?.system_name}</span>
      </Link>
      <nav className={`${styles.links} ${styles.wide}`} aria-label={t('shell.topNavigation')}>
        {links.map(({ to, label, isConsole }) => (
          <Link
            key={label}
            to={to}
            className={styles.link}
            data-section={isConsole && (inConsole ? 'here' : 'elsewhere')}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className={styles.end}>
        <ActionIcon
          variant="subtle"
          size={32}
          className={styles.tool}
          aria-label={t('shell.palette')}
          aria-keyshortcuts="Meta+K Control+K"
          onClick={openPalette}
        >
          <Search size={18} aria-hidden />
        </ActionIcon>
        {/* A phone has no room for it beside the balance: there it is in the menu. */}
        <span className={styles.theme}>
          <ThemeToggle />
        </span>
        <LanguageMenu />
        {loggedIn && <FirstRunLink />}
        {loggedIn && <AccountMenu />}
        {!loggedIn && pathname !== '/login' && (
          <Link to="/login" className={styles.link}>
            {t('nav.login')}
          </Link>
        )}
        {!loggedIn && pathname !== '/register' && status?.register_enabled && (
          <Link to="/register" className={`${styles.link} ${styles.wide}`}>
            {t('nav.register')}
          </Link>
        )}
      </div>
    </header>
  )
}
