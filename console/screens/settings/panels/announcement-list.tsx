import { useMemo } from 'react'
import type { Announcement } from '../../../../contract/panels.ts'
import { newestFirst, panelSettings } from '../../../../contract/settings/panels.ts'
import { formatMinute } from '../../../format.ts'
import { useText } from '../../../text.ts'
import { Tag } from '../../../ui/content/tag.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import type { Column } from '../../../ui/table/column.ts'
import { panelsText } from './catalogue.ts'
import { EntryList, type Placed } from './entry-list.tsx'
import type { PanelListProps } from './panel-sections.tsx'
import { kindWords } from './words.ts'

const AnnouncementDialog = lazyPart(() => import('./announcement-dialog.tsx'))

const tones = { default: 'grey', ongoing: 'blue', success: 'green', warning: 'orange', error: 'red' } as const

export default function AnnouncementList(props: PanelListProps) {
  const t = useText(panelsText)
  const columns = useMemo<readonly Column<Placed<Announcement>>[]>(
    () => [
      {
        id: 'content',
        header: t('content'),
        heading: true,
        cell: ({ entry }) => <span title={entry.content}>{entry.content}</span>,
      },
      {
        id: 'type',
        header: t('type'),
        width: 104,
        cell: ({ entry }) => <Tag tone={tones[entry.type]}>{t(kindWords[entry.type])}</Tag>,
      },
      {
        id: 'date',
        header: t('date'),
        width: 152,
        cell: ({ entry }) => formatMinute(Date.parse(entry.publishDate) / 1000),
      },
    ],
    [t],
  )
  return (
    <EntryList
      {...props}
      setting={panelSettings.Announcements}
      columns={columns}
      nameOf={({ content }) => content}
      sort={newestFirst}
      form={dialog => <AnnouncementDialog {...dialog} />}
    />
  )
}
