import { useMemo } from 'react'
import type { Question } from '../../../../contract/panels.ts'
import { panelSettings } from '../../../../contract/settings/panels.ts'
import { useText } from '../../../text.ts'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import type { Column } from '../../../ui/table/column.ts'
import { panelsText } from './catalogue.ts'
import { EntryList, type Placed } from './entry-list.tsx'
import type { PanelListProps } from './panel-sections.tsx'

const QuestionDialog = lazyPart(() => import('./question-dialog.tsx'))

export default function QuestionList(props: PanelListProps) {
  const t = useText(panelsText)
  const columns = useMemo<readonly Column<Placed<Question>>[]>(
    () => [
      {
        id: 'question',
        header: t('question'),
        heading: true,
        cell: ({ entry }) => <span title={entry.question}>{entry.question}</span>,
      },
      {
        id: 'answer',
        header: t('answer'),
        cell: ({ entry }) => <span title={entry.answer}>{entry.answer}</span>,
      },
    ],
    [t],
  )
  return (
    <EntryList
      {...props}
      setting={panelSettings.FAQ}
      columns={columns}
      nameOf={({ question }) => question}
      form={dialog => <QuestionDialog {...dialog} />}
    />
  )
}
