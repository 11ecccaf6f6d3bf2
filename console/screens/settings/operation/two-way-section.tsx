import { type ReactNode, Suspense, useState } from 'react'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { savedText } from '../draft.ts'
import { Section, type SectionProps } from '../section.tsx'
import styles from './operation.module.css'
import { ViewSwitch } from './view-switch.tsx'

type View = 'json' | 'own'

interface TwoWaySectionProps {
  section: SectionProps
  /** In the order in which they are offered. The one of their own is shown first. */
  views: readonly { readonly id: View; readonly label: string }[]
  /** Whether a setting is shown by its own view, and needs a field as JSON only. */
  isShown(key: string): boolean
  /** How many lines stand for the view until it is there. */
  rows: number
  actions?: ReactNode
  children: ReactNode
}

/** Settings that are edited in a view of their own, or as JSON; both edit the same draft. */
export function TwoWaySection({ section, views, isShown, rows, actions, children }: TwoWaySectionProps) {
  const [view, setView] = useState<View>('own')
  const body = `${section.id}-body`
  return (
    <Section
      {...section}
      keys={view === 'json' ? section.keys : section.keys.filter(key => !isShown(key))}
      bodyId={body}
      before={
        <>
          <div className={styles.toolbar}>
            <ViewSwitch<View>
              label={section.title}
              controls={body}
              current={view}
              onChange={setView}
              views={views}
            />
            {actions && <div className={styles.actions}>{actions}</div>}
          </div>
          {view === 'own' && <Suspense fallback={<Skeleton rows={rows} />}>{children}</Suspense>}
        </>
      }
    />
  )
}

/** What the draft says of a setting. */
export function textIn({ settings, edits, options }: SectionProps, key: string): string {
  const setting = settings[key]
  return edits[key] ?? (setting ? savedText(setting, options.values[key]) : '')
}
