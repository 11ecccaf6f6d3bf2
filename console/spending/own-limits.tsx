import { useQuery } from '@tanstack/react-query'
import { spendLimitEndpoints } from '../../contract/spend-limits.ts'
import { call } from '../api.ts'
import { useTeam, useUser } from '../session.ts'
import { useText } from '../text.ts'
import { spendingText } from './catalogue.ts'
import styles from './own-limits.module.css'
import { useLimitWords } from './use-limit-words.ts'

/** What whoever looks may still spend, of their own or of a team's; nothing where nobody has limited it. */
export function OwnLimits() {
  const t = useText(spendingText)
  const words = useLimitWords()
  const [userId, teamId] = [useUser()?.id, useTeam()?.id]
  const { data } = useQuery({
    queryKey: ['spend-limits', 'own', userId, teamId],
    queryFn: ({ signal }) => call(spendLimitEndpoints.ownSpendLimits, { signal }),
    gcTime: 0,
  })
  const lines = data ? words([...data.member, ...data.account, ...data.plan]) : []
  if (lines.length === 0) return null
  return (
    <section className={styles.limits} aria-label={t('title')}>
      <h2>{t('title')}</h2>
      <ul>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two limits may say the same.
          <li key={at}>{line}</li>
        ))}
      </ul>
    </section>
  )
}
