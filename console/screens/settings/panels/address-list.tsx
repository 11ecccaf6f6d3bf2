import { useMemo } from 'react'
import type { ApiAddress } from '../../../../contract/panels.ts'
import { panelSettings } from '../../../../contract/settings/panels.ts'
import { useText } from '../../../text.ts'
import { Tag } from '../../../ui/content/tag.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import type { Column } from '../../../ui/table/column.ts'
import { panelsText } from './catalogue.ts'
import { EntryList, type Placed } from './entry-list.tsx'
import type { PanelListProps } from './panel-sections.tsx'

const AddressDialog = lazyPart(() => import('./address-dialog.tsx'))

export default function AddressList(props: PanelListProps) {
  const t = useText(panelsText)
  const columns = useMemo<readonly Column<Placed<ApiAddress>>[]>(
    () => [
      {
        id: 'route',
        header: t('route'),
        heading: true,
        width: 152,
        cell: ({ entry }) => <Tag tone={entry.color}>{entry.route}</Tag>,
      },
      { id: 'url', header: t('url'), cell: ({ entry }) => <span title={entry.url}>{entry.url}</span> },
      {
        id: 'description',
        header: t('description'),
        cell: ({ entry }) => <span title={entry.description}>{entry.description}</span>,
      },
    ],
    [t],
  )
  return (
    <EntryList
      {...props}
      setting={panelSettings.ApiInfo}
      columns={columns}
      nameOf={({ route }) => route}
      form={dialog => <AddressDialog {...dialog} />}
    />
  )
}
