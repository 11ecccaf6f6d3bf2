import { createLazyRoute, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { recordEndpoints } from '../../../contract/records.ts'
import { call } from '../../api.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { type RecordAsk, RecordScreen, useIsAdmin } from '../../ui/lists/record-screen.tsx'
import type { Paging } from '../../ui/lists/use-list-page.ts'
import { taskText } from './catalogue.ts'
import { taskColumns } from './columns.tsx'

function Tasks() {
  const t = useText(taskText)
  const shell = useText(shellText)
  const navigate = useNavigate()
  const isAdmin = useIsAdmin()
  const columns = useMemo(() => taskColumns(t, isAdmin), [t, isAdmin])
  return (
    <RecordScreen
      name="tasks"
      title={shell('nav.task')}
      words={{
        id: t('taskId'),
        channel: t('channelId'),
        window: t('window'),
        noMatches: t('noMatches'),
        none: t('none'),
        noneLead: t('noneLead'),
      }}
      back="midnight"
      search={screen.useSearch()}
      show={search => navigate({ to: '/task', search })}
      read={readTasks}
      columns={columns}
      spared={['finished', 'platform']}
      rowName={row => row.task_id}
    />
  )
}

function readTasks({ isAdmin, id, channel, start, end }: RecordAsk, paging: Paging, signal: AbortSignal) {
  return call(isAdmin ? recordEndpoints.listTasks : recordEndpoints.listOwnTasks, {
    query: {
      ...paging,
      ...channel,
      ...(id ? { task_id: id } : {}),
      start_timestamp: String(start),
      end_timestamp: String(end),
    },
    signal,
  })
}

export const screen = createLazyRoute('/task')({ component: Tasks })
