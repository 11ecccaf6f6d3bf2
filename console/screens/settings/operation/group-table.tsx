import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import { operationSettings } from '../../../../contract/settings/operation.ts'
import { formatRatio } from '../../../format.ts'
import { useLanguage, useText } from '../../../text.ts'
import { Callout } from '../../../ui/content/callout.tsx'
import { Tag, type Tone } from '../../../ui/content/tag.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { Empty } from '../../../ui/table/empty.tsx'
import { operationText } from './catalogue.ts'
import {
  dropGroup,
  type GroupKey,
  type GroupMaps,
  type GroupRow,
  listGroups,
  putGroup,
  readGroups,
} from './group-rows.ts'
import styles from './operation.module.css'

const GroupDialog = lazyPart(() => import('./group-dialog.tsx'))
/** New users are in it, so it stays. */
const FIRST = 'default'

interface GroupTableProps {
  texts: Readonly<Record<GroupKey, string>>
  onChange(maps: GroupMaps): void
}

export default function GroupTable({ texts, onChange }: GroupTableProps) {
  const t = useText(operationText)
  const language = useLanguage()
  /** The name of the group in hand; blank for a new one. */
  const [editing, setEditing] = useState<string>()
  const columns = useGroupColumns()
  const maps = readGroups(texts)
  if (typeof maps === 'string')
    return (
      <div className={styles.block}>
        <Callout tone="warning">
          {t('group.broken', { name: operationSettings[maps].label[language] })}
        </Callout>
      </div>
    )
  const rows = listGroups(maps)
  return (
    <div className={styles.block}>
      <DataTable
        label={t('group.table')}
        columns={columns}
        rows={rows}
        rowId={({ name }) => name}
        rowName={({ name }) => name}
        onOpen={({ name }) => setEditing(name)}
        actions={({ name }) => [
          { id: 'edit', label: t('edit'), inline: true, act: () => setEditing(name) },
          ...(name === FIRST
            ? []
            : [
                {
                  id: 'delete',
                  label: t('delete'),
                  inline: true,
                  act: () => onChange(dropGroup(maps, name)),
                },
              ]),
        ]}
        empty={<Empty title={t('group.nothing')} />}
      />
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => setEditing('')}
        >
          {t('group.add')}
        </Button>
      </div>
      {editing !== undefined && (
        <Suspense>
          <GroupDialog
            row={rows.find(({ name }) => name === editing)}
            taken={new Set(rows.flatMap(({ name }) => (name === editing ? [] : name)))}
            onClose={() => setEditing(undefined)}
            onApply={row => {
              onChange(putGroup(maps, row, editing === '' ? row.name : editing))
              setEditing(undefined)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

function toneOf(ratio: number): Tone {
  if (ratio > 5) return 'red'
  if (ratio > 3) return 'orange'
  return ratio > 1 ? 'blue' : 'green'
}

function useGroupColumns(): readonly Column<GroupRow>[] {
  const t = useText(operationText)
  return useMemo(
    () => [
      { id: 'name', header: t('group.name'), heading: true, width: 144, cell: ({ name }) => name },
      {
        id: 'ratio',
        header: t('group.ratio'),
        width: 96,
        align: 'end',
        inCard: 'beside',
        cell: ({ ratio }) =>
          ratio === undefined ? '–' : <Tag tone={toneOf(ratio)}>{formatRatio(ratio)}</Tag>,
      },
      {
        id: 'usable',
        header: t('group.usable'),
        width: 152,
        inCard: 'figure',
        cell: ({ description }) => (description === undefined ? t('group.no') : t('group.yes')),
      },
      {
        id: 'description',
        header: t('group.description'),
        inCard: 'figure',
        cell: ({ description }) => description || '–',
      },
    ],
    [t],
  )
}
