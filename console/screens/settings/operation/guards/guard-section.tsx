import { Suspense, useState } from 'react'
import { useText } from '../../../../text.ts'
import { lazyPart } from '../../../../ui/page/lazy-part.ts'
import { Skeleton } from '../../../../ui/page/skeleton.tsx'
import { savedText } from '../../draft.ts'
import { Section, type SectionProps } from '../../section.tsx'
import { operationText } from '../catalogue.ts'
import styles from '../operation.module.css'
import { ViewSwitch } from '../view-switch.tsx'

const GuardList = lazyPart(() => import('./guard-list.tsx'))
const KEY = 'Guards'

type View = 'json' | 'list'

/** Rules for what is asked and answered, as a list or as JSON; both edit the same draft. */
export function GuardSection(props: SectionProps) {
  const t = useText(operationText)
  const [view, setView] = useState<View>('list')
  const { id, settings, edits, options, edit, keys } = props
  const setting = settings[KEY]
  const text = edits[KEY] ?? (setting ? savedText(setting, options.values[KEY]) : '[]')
  const body = `${id}-body`
  return (
    <Section
      {...props}
      keys={view === 'json' ? keys : keys.filter(key => key !== KEY)}
      bodyId={body}
      before={
        <>
          <div className={styles.toolbar}>
            <ViewSwitch<View>
              label={props.title}
              controls={body}
              current={view}
              onChange={setView}
              views={[
                { id: 'list', label: t('guard.list') },
                { id: 'json', label: t('guard.json') },
              ]}
            />
          </div>
          {view === 'list' && (
            <Suspense fallback={<Skeleton rows={2} />}>
              <GuardList text={text} onChange={next => edit(KEY, next)} />
            </Suspense>
          )}
        </>
      }
    />
  )
}
