import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { checkInEndpoints } from '../../../contract/check-ins.ts'
import type { StatusDocument } from '../../../contract/system.ts'
import { call } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { formatQuota } from '../../quota.ts'
import { useUser } from '../../session.ts'
import { useCaptcha } from '../../sign-in/captcha.tsx'
import { useText } from '../../text.ts'
import { Tag } from '../../ui/content/tag.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { topUpText } from './catalogue.ts'
import { CheckInPlace } from './check-in-place.tsx'
import styles from './topup.module.css'

/** A gift a day for who asks for it: too small for cents, so it is shown to more places. */
const PLACES = 4

export default function CheckInCard({ status }: { status: StatusDocument }) {
  const t = useText(topUpText)
  const captcha = useCaptcha()
  const doneText = (quota: number) => t('checkedIn', { amount: formatQuota(quota, status, PLACES) })
  const { data, isError } = useQuery({
    queryKey: ['check-ins', useUser()?.id],
    queryFn: ({ signal }) => call(checkInEndpoints.checkIns, { signal }),
  })
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(checkInEndpoints.checkIn, { query: captcha.query }),
    onSuccess: ({ quota_awarded }) => toast.success(doneText(quota_awarded)),
    onError: captcha.renew,
    // Whatever was answered: it may have been done elsewhere.
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['check-ins'] }),
        queryClient.invalidateQueries({ queryKey: ['self'] }),
      ]),
  })
  // Its place is kept.
  if (!data) return isError ? null : <CheckInPlace status={status} />
  const { checked_in_today, checkin_count, records } = data.stats
  const [today] = records
  return (
    <section
      className={styles.checkIn}
      data-captcha={status.turnstile_check || undefined}
      aria-labelledby="check-in-title"
    >
      <div className={styles.checkInText}>
        <h2 id="check-in-title">{t('checkInTitle')}</h2>
        <p>{t('checkInDays', { days: checkin_count })}</p>
      </div>
      {checked_in_today && today ? (
        <Tag tone="green">{doneText(today.quota_awarded)}</Tag>
      ) : (
        <>
          {captcha.widget && <div className={styles.proof}>{captcha.widget}</div>}
          <Button variant="default" loading={isPending} onClick={() => captcha.isReady() && mutate()}>
            {t('checkIn')}
          </Button>
        </>
      )}
    </section>
  )
}
