import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { useText } from '../text.ts'
import { listText } from './catalogue.ts'
import type { ListOptions } from './use-list-options.ts'
import styles from './view-tabs.module.css'

/** The views that are pinned, beside the list as it is of itself. */
export function ViewTabs<Row>({ options }: { options: ListOptions<Row> }) {
  const t = useText(listText)
  const router = useRouter()
  const { views, current, isPlain, go, goToAll } = options
  const pinned = views.all.filter(view => view.pinned)
  if (pinned.length === 0) return null
  const tab = (name: string, search: object, isCurrent: boolean, act: () => void) => (
    <a
      className={styles.tab}
      href={router.buildLocation({ to: '.', search }).href}
      title={name}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event: MouseEvent) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        act()
      }}
    >
      {name}
    </a>
  )
  return (
    <nav className={styles.tabs} aria-label={t('views')}>
      <ul>
        <li>{tab(t('all'), {}, isPlain && current === undefined, goToAll)}</li>
        {pinned.map(view => (
          <li key={view.name}>{tab(view.name, view.search, view === current, () => go(view))}</li>
        ))}
      </ul>
    </nav>
  )
}
