import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type LogView, logEndpoints } from '../../../../contract/logs.ts'
import { ApiError, call } from '../../../api.ts'
import { useUser } from '../../../session.ts'
import { useText } from '../../../text.ts'
import { LoadFailure } from '../../../ui/page/load-failure.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { logText } from '../catalogue.ts'
import logStyles from '../log.module.css'
import styles from './content.module.css'
import { Pane } from './pane.tsx'

/** What was asked and answered, fetched when somebody wants to see it: to look at another's is put on record. */
export function CallContent({ row }: { row: LogView }) {
  const t = useText(logText)
  const user = useUser()
  const [wanted, setWanted] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['logs', 'content', row.request_id],
    queryFn: ({ signal }) =>
      call(logEndpoints.logContent, { params: { request_id: row.request_id }, signal }),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <section>
      <h2 className={logStyles.heading}>{t('words')}</h2>
      {!wanted && data === undefined ? (
        <div className={styles.ask}>
          <Button variant="default" size="xs" onClick={() => setWanted(true)}>
            {t('wordsShow')}
          </Button>
          {row.user_id !== user?.id && <span className={logStyles.note}>{t('wordsAudited')}</span>}
        </div>
      ) : data ? (
        <div className={styles.panes}>
          <Pane title={t('request')} text={data.request} leftOut={data.request_left_out} />
          <Pane
            title={t('answer')}
            text={data.answer}
            leftOut={data.answer_left_out}
            words={data.words}
            wordsLeftOut={data.words_left_out}
          />
        </div>
      ) : error instanceof ApiError && error.kind === 'refused' ? (
        <p className={logStyles.note}>{error.message}</p>
      ) : error ? (
        <LoadFailure error={error} retry={refetch} />
      ) : (
        <Skeleton rows={4} />
      )}
    </section>
  )
}
