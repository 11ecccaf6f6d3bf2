import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import type { Setting } from '../../../../contract/settings/define.ts'
import { named } from '../../../punctuation.ts'
import { useLanguage, useText } from '../../../text.ts'
import { Callout } from '../../../ui/content/callout.tsx'
import type { Column, RowAction } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { Empty } from '../../../ui/table/empty.tsx'
import { ONE_AND_MENU } from '../../../ui/table/use-table-widths.ts'
import styles from '../operation/operation.module.css'
import { panelsText } from './catalogue.ts'
import type { PanelListProps } from './panel-sections.tsx'

/** An entry where it stands: two may be alike. */
export interface Placed<T> {
  readonly at: number
  readonly entry: T
}

export interface EntryDialogProps<T> {
  /** Undefined for a new one. */
  entry: T | undefined
  onApply(entry: T): void
  onClose(): void
}

interface EntryListProps<T> extends PanelListProps {
  setting: Setting<T[]>
  columns: readonly Column<Placed<T>>[]
  nameOf(entry: T): string
  /** For entries whose order is not the operator's to choose. */
  sort?(entries: readonly T[]): T[]
  form(props: EntryDialogProps<T>): ReactNode
}

/** The entries of a panel. What is changed is saved with the section. */
export function EntryList<T>({ text, onChange, setting, columns, nameOf, sort, form }: EntryListProps<T>) {
  const t = useText(panelsText)
  const language = useLanguage()
  /** The place of the entry in hand; that behind the last for a new one. */
  const [editing, setEditing] = useState<number>()
  const entries = readEntries(setting, text)
  if (!entries) return <Callout tone="warning">{t('broken')}</Callout>
  const change = (next: readonly T[]) => onChange(setting.encode(sort ? sort(next) : [...next]))
  const move = (from: number, to: number) =>
    change(entries.with(to, entries[from] as T).with(from, entries[to] as T))
  const actionsOf = ({ at }: Placed<T>): RowAction[] => [
    { id: 'edit', label: t('edit'), inline: true, act: () => setEditing(at) },
    ...(!sort && at > 0 ? [{ id: 'up', label: t('moveUp'), act: () => move(at, at - 1) }] : []),
    ...(!sort && at < entries.length - 1
      ? [{ id: 'down', label: t('moveDown'), act: () => move(at, at + 1) }]
      : []),
    { id: 'delete', label: t('delete'), act: () => change(entries.toSpliced(at, 1)) },
  ]
  return (
    <div className={styles.block}>
      <p className={styles.about}>{setting.help?.[language]}</p>
      <DataTable
        label={setting.label[language]}
        columns={columns}
        rows={entries.map((entry, at) => ({ at, entry }))}
        rowId={({ at }) => String(at)}
        rowName={({ entry }) => nameOf(entry)}
        onOpen={({ at }) => setEditing(at)}
        actions={actionsOf}
        actionsWidth={ONE_AND_MENU}
        empty={<Empty title={t('nothing')} />}
      />
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          aria-label={named(t('add'), setting.label[language])}
          onClick={() => setEditing(entries.length)}
        >
          {t('add')}
        </Button>
      </div>
      {editing !== undefined && (
        <Suspense>
          {form({
            entry: entries[editing],
            onClose: () => setEditing(undefined),
            onApply: entry => {
              change(entries[editing] ? entries.with(editing, entry) : [...entries, entry])
              setEditing(undefined)
            },
          })}
        </Suspense>
      )}
    </div>
  )
}

function readEntries<T>(setting: Setting<T[]>, text: string): T[] | undefined {
  try {
    return setting.decode(text)
  } catch {
    return undefined
  }
}
