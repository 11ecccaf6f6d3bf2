import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SpendLimitView } from '../../contract/spend-limits.ts'
import { useTeam, useUser } from '../session.ts'
import { useText } from '../text.ts'
import { spendingText } from './catalogue.ts'
import styles from './own-limits.module.css'
import { ownLimitsQuery } from './own-limits-query.ts'
import { useLimitWords } from './use-limit-words.ts'

/** What whoever looks may still spend, of their own or of a team's; nothing where nobody has limited it. */
export function OwnLimits({ onKnown }: { onKnown(isKnown: boolean): void }) {
  const t = useText(spendingText)
  const words = useLimitWords()
  const [userId, teamId] = [useUser()?.id, useTeam()?.id]
  const { data: limits = [], isPending } = useQuery(ownLimitsQuery(userId, teamId))
  useEffect(() => onKnown(!isPending), [isPending, onKnown])
  if (limits.length === 0) return null
  return (
    <section className={styles.limits} aria-label={t('title')}>
      <h2>{t('title')}</h2>
      <ul>
        {words(limits).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two limits may say the same.
          <li key={at}>
            {line}
            <Meter {...(limits[at] as SpendLimitView)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** How much of it is gone; the words before it say the same. */
function Meter({ amount, spent }: SpendLimitView) {
  const part = amount > 0 ? Math.min(1, spent / amount) : 1
  return (
    <span className={styles.meter} data-tone={toneOf(part)} aria-hidden>
      <span style={{ width: `${part * 100}%` }} />
    </span>
  )
}

function toneOf(part: number): 'red' | 'orange' | undefined {
  if (part >= 1) return 'red'
  return part >= 0.8 ? 'orange' : undefined
}
