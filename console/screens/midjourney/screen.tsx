import { createLazyRoute, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type DrawingView, recordEndpoints } from '../../../contract/records.ts'
import { call } from '../../api.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Callout } from '../../ui/content/callout.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { type RecordAsk, RecordScreen, useIsAdmin } from '../../ui/lists/record-screen.tsx'
import type { Paging } from '../../ui/lists/use-list-page.ts'
import { SettingsLink } from '../../ui/page/settings-link.tsx'
import { midjourneyText } from './catalogue.ts'
import { drawingColumns } from './columns.tsx'
import styles from './midjourney.module.css'

function Drawings() {
  const t = useText(midjourneyText)
  const shell = useText(shellText)
  const navigate = useNavigate()
  const status = useStatus()
  const isAdmin = useIsAdmin()
  const [shown, setShown] = useState<DrawingView>()
  const columns = useMemo(() => drawingColumns(t, { isAdmin, show: setShown }), [t, isAdmin])
  return (
    <RecordScreen
      name="drawings"
      title={shell('nav.midjourney')}
      words={{
        id: t('taskId'),
        channel: t('channelId'),
        window: t('window'),
        noMatches: t('noMatches'),
        none: t('none'),
        noneLead: t('noneLead'),
      }}
      back="month"
      search={screen.useSearch()}
      show={search => navigate({ to: '/midjourney', search })}
      read={readDrawings}
      columns={columns}
      spared={['promptEn', 'code', 'duration', 'progress']}
      rowName={row => row.mj_id}
      notice={
        isAdmin &&
        status &&
        !status.mj_notify_enabled && (
          <Callout tone="warning">
            {t('notice')} <SettingsLink section="operation.drawing" />
          </Callout>
        )
      }
    >
      {shown && (
        <Dialog opened onClose={() => setShown(undefined)} title={t('image')} size="auto">
          <img className={styles.image} src={shown.image_url} alt={shown.prompt} />
        </Dialog>
      )}
    </RecordScreen>
  )
}

/** Their times are in milliseconds. */
function readDrawings({ isAdmin, id, channel, start, end }: RecordAsk, paging: Paging, signal: AbortSignal) {
  return call(isAdmin ? recordEndpoints.listDrawings : recordEndpoints.listOwnDrawings, {
    query: {
      ...paging,
      ...channel,
      ...(id ? { mj_id: id } : {}),
      start_timestamp: String(start * 1000),
      end_timestamp: String(end * 1000),
    },
    signal,
  })
}

export const screen = createLazyRoute('/midjourney')({ component: Drawings })
