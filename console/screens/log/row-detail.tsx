import { useQuery } from '@tanstack/react-query'
import { type LogView, logEndpoints } from '../../../contract/logs.ts'
import { call } from '../../api.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Billing } from './billing.tsx'
import { logText } from './catalogue.ts'
import { isCall, saidIn } from './cells.tsx'
import { CallContent } from './content/call-content.tsx'
import styles from './log.module.css'
import { isBatch } from './read-other.ts'
import { RequestTrail } from './request-trail.tsx'
import { RowFacts } from './row-facts.tsx'
import { TriedChannels } from './tried-channels.tsx'

/** Everything there is to know about a row. */
export function RowDetail({ row, isAdmin }: { row: LogView; isAdmin: boolean }) {
  const t = useText(logText)
  const status = useStatus()
  const hasTrail = isCall(row) && row.request_id !== ''
  const { data, error, refetch } = useQuery({
    queryKey: ['logs', 'trail', row.request_id],
    queryFn: ({ signal }) =>
      call(logEndpoints.requestTrail, { params: { request_id: row.request_id }, signal }),
    enabled: hasTrail,
  })
  return (
    <div className={styles.detail}>
      <Billing row={row} />
      {saidIn(row) !== '' && (
        <section>
          <h2 className={styles.heading}>{t('content')}</h2>
          <p className={styles.content}>{saidIn(row)}</p>
        </section>
      )}
      <div className={styles.sections}>
        <RowFacts row={row} />
        {hasTrail && <RequestTrail trail={data} error={error} retry={refetch} />}
        {isAdmin && <TriedChannels row={row} channels={data?.channels ?? []} />}
      </div>
      {hasTrail && status?.enable_log_content && !isBatch(row) && <CallContent row={row} />}
    </div>
  )
}
