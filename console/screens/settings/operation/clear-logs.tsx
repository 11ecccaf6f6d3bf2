import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { formatCount, formatTime } from '../../../format.ts'
import { useText } from '../../../text.ts'
import { Confirm } from '../../../ui/layers/confirm.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import { operationText } from './catalogue.ts'
import styles from './operation.module.css'
import { useClearLogs } from './use-clear-logs.ts'

const DateTimeField = lazyPart(() => import('../../../ui/fields/date-time-field.tsx'))

/** Clears the log before a time, and shows how far that has come, whoever began it. */
export function ClearLogs() {
  const t = useText(operationText)
  const [before, setBefore] = useState<number>()
  const [missing, setMissing] = useState(false)
  const [asking, setAsking] = useState(false)
  const { clear, busy, work } = useClearLogs()
  const ask = () => {
    setMissing(before === undefined)
    if (before !== undefined) setAsking(true)
  }
  return (
    <>
      <div className={styles.clear}>
        <div className={styles.date}>
          <Suspense fallback={<div className={styles.dateWaiting} />}>
            <DateTimeField
              label={t('clear.before')}
              value={before}
              error={missing ? t('clear.missing') : undefined}
              disabled={busy}
              onChange={seconds => {
                setBefore(seconds)
                setMissing(false)
              }}
            />
          </Suspense>
        </div>
        <Button variant="default" loading={busy} onClick={ask}>
          {t('clear.action')}
        </Button>
      </div>
      {busy && work && work.total > 0 && (
        <div className={styles.progress}>
          <progress value={work.done} max={work.total} aria-label={t('clear.action')} />
          <span>{t('clear.progress', { done: formatCount(work.done), total: formatCount(work.total) })}</span>
        </div>
      )}
      <Confirm
        opened={asking}
        title={t('clear.title')}
        action={t('clear.action')}
        destructive
        onConfirm={() => {
          setAsking(false)
          if (before !== undefined) clear(before)
        }}
        onCancel={() => setAsking(false)}
      >
        {t('clear.text', { date: formatTime(before ?? 0) })}
      </Confirm>
    </>
  )
}
