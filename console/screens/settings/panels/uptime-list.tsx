import { useMemo } from 'react'
import type { UptimePage } from '../../../../contract/panels.ts'
import { panelSettings } from '../../../../contract/settings/panels.ts'
import { useText } from '../../../text.ts'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import type { Column } from '../../../ui/table/column.ts'
import { panelsText } from './catalogue.ts'
import { EntryList, type Placed } from './entry-list.tsx'
import type { PanelListProps } from './panel-sections.tsx'

const UptimeDialog = lazyPart(() => import('./uptime-dialog.tsx'))

export default function UptimeList(props: PanelListProps) {
  const t = useText(panelsText)
  const columns = useMemo<readonly Column<Placed<UptimePage>>[]>(
    () => [
      {
        id: 'categoryName',
        header: t('categoryName'),
        heading: true,
        width: 152,
        cell: ({ entry }) => <span title={entry.categoryName}>{entry.categoryName}</span>,
      },
      { id: 'url', header: t('url'), cell: ({ entry }) => <span title={entry.url}>{entry.url}</span> },
      { id: 'slug', header: t('slug'), cell: ({ entry }) => <span title={entry.slug}>{entry.slug}</span> },
    ],
    [t],
  )
  return (
    <EntryList
      {...props}
      setting={panelSettings.UptimeKumaGroups}
      columns={columns}
      nameOf={({ categoryName }) => categoryName}
      form={dialog => <UptimeDialog {...dialog} />}
    />
  )
}
