import { createLazyRoute, Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { sectionTabs } from '../../../contract/settings/sections.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useUser } from '../../session.ts'
import { useLanguage, useText } from '../../text.ts'
import { Page } from '../../ui/page/page.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { settingsText } from './catalogue.ts'
import styles from './settings.module.css'
import { showInRow } from './show-in-row.ts'
import { tabContent } from './tab-contents.ts'
import { allowedTab, tabs } from './tabs.ts'

/** The other tabs are called as the registry of settings has it. */
const ownWords = { personal: 'tab.personal', audit: 'tab.audit' } as const

function Settings() {
  const t = useText(settingsText)
  const shell = useText(shellText)
  const language = useLanguage()
  const role = useUser()?.role ?? 0
  const { tab } = screen.useSearch()
  const active = allowedTab(role, tab)
  if (!active) return null
  const Content = tabContent(active.id)
  const offered = tabs.filter(one => role >= one.role)
  return (
    <Page title={shell('nav.setting')}>
      {offered.length > 1 && (
        <nav className={styles.tabs} aria-label={shell('nav.setting')}>
          {offered.map(({ id }) => (
            <Link
              key={id}
              to="/setting"
              search={{ tab: id }}
              className={styles.tab}
              aria-current={id === active.id ? 'page' : undefined}
              {...(id === active.id ? { ref: showInRow } : {})}
            >
              {id === 'personal' || id === 'audit' ? t(ownWords[id]) : sectionTabs[id][language]}
            </Link>
          ))}
        </nav>
      )}
      <Suspense fallback={<Skeleton rows={6} />}>
        <Content key={active.id} />
      </Suspense>
    </Page>
  )
}

export const screen = createLazyRoute('/setting')({ component: Settings })
