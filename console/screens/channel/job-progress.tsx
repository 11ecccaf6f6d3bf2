import { useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { channelEndpoints } from '../../../contract/channels.ts'
import { call } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { channelText } from './catalogue.ts'
import styles from './channel.module.css'
import { lookAtWork, type Work, works } from './use-work.ts'

interface JobProgressProps {
  jobs: readonly Work[]
  dismiss(name: string): void
}

/** How far the long jobs have come, for as long as they run; then how they went. */
export function JobProgress({ jobs, dismiss }: JobProgressProps) {
  const t = useText(channelText)
  if (jobs.length === 0) return null
  return (
    <section className={styles.jobs} aria-label={t('work')}>
      {jobs.map(job =>
        job.running ? (
          <Running key={job.name} job={job} />
        ) : (
          <Ended key={job.name} job={job} close={() => dismiss(job.name)} />
        ),
      )}
    </section>
  )
}

function Running({ job }: { job: Work }) {
  const t = useText(channelText)
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(channelEndpoints.cancelWork, { body: { name: job.name } }),
    onSettled: lookAtWork,
  })
  const label = t(job.name === works.test ? 'workTest' : 'workBalance')
  return (
    <div className={styles.job}>
      <span className={styles.jobName}>{label}</span>
      <progress
        className={styles.jobBar}
        aria-label={label}
        max={Math.max(1, job.total)}
        {...(job.total > 0 ? { value: job.done } : {})}
      />
      <span className={styles.jobCount}>
        {formatCount(job.done)} / {job.total > 0 ? formatCount(job.total) : '…'}
      </span>
      {job.failed > 0 && (
        <span className={styles.jobFailed}>{t('workFailed', { failed: formatCount(job.failed) })}</span>
      )}
      <button type="button" className={styles.jobButton} disabled={isPending} onClick={() => mutate()}>
        {t('cancelWork')}
      </button>
    </div>
  )
}

function Ended({ job, close }: { job: Work; close(): void }) {
  const t = useText(channelText)
  const shell = useText(shellText)
  const outcome = { done: job.done, total: job.total, failed: job.failed }
  const isTest = job.name === works.test
  const text = job.cancelled
    ? t(isTest ? 'workTestCancelled' : 'workBalanceCancelled', outcome)
    : t(isTest ? 'workTestEnded' : 'workBalanceEnded', outcome)
  return (
    <div className={styles.job} role="status">
      <span className={styles.jobText}>{text}</span>
      <button type="button" className={styles.jobClose} aria-label={shell('action.close')} onClick={close}>
        <X size={16} aria-hidden />
      </button>
    </div>
  )
}
