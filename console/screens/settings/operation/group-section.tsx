import { Suspense, useState } from 'react'
import { useText } from '../../../text.ts'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { savedText } from '../draft.ts'
import { Section, type SectionProps } from '../section.tsx'
import { operationText } from './catalogue.ts'
import { type GroupKey, type GroupMaps, groupKeys, writeGroups } from './group-rows.ts'
import styles from './operation.module.css'
import { ViewSwitch } from './view-switch.tsx'

const GroupTable = lazyPart(() => import('./group-table.tsx'))

type View = 'json' | 'table'

/** Groups, as JSON or as a table; both edit the same draft. */
export function GroupSection(props: SectionProps) {
  const t = useText(operationText)
  const [view, setView] = useState<View>('table')
  const { id, settings, edits, options, edit } = props
  const textOf = (key: GroupKey): string => {
    const setting = settings[key]
    return edits[key] ?? (setting ? savedText(setting, options.values[key]) : '{}')
  }
  const apply = (maps: GroupMaps) => {
    const texts = writeGroups(maps)
    for (const key of groupKeys) if (texts[key] !== textOf(key)) edit(key, texts[key])
  }
  const inTable: ReadonlySet<string> = new Set(groupKeys)
  const body = `${id}-body`
  return (
    <Section
      {...props}
      keys={view === 'json' ? props.keys : props.keys.filter(key => !inTable.has(key))}
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
                { id: 'json', label: t('group.json') },
                { id: 'table', label: t('group.table') },
              ]}
            />
          </div>
          {view === 'table' && (
            <Suspense fallback={<Skeleton rows={3} />}>
              <GroupTable
                texts={{ GroupRatio: textOf('GroupRatio'), UserUsableGroups: textOf('UserUsableGroups') }}
                onChange={apply}
              />
            </Suspense>
          )}
        </>
      }
    />
  )
}
