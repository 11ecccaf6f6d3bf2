import type { SpendLimitView } from '../../contract/spend-limits.ts'
import { formatMinute } from '../format.ts'
import { withAside } from '../punctuation.ts'
import { formatQuota } from '../quota.ts'
import { useStatus } from '../status.ts'
import { useText } from '../text.ts'
import { spendingText } from './catalogue.ts'

/** How limits are told in a line: what is left of each, and when there is more. */
export function useLimitWords(): (limits: readonly SpendLimitView[]) => string[] {
  const t = useText(spendingText)
  const status = useStatus()
  return limits =>
    limits.map(({ period, amount, spent, ends_at }) => {
      if (!status) return ''
      const left = formatQuota(Math.max(0, amount - spent), status)
      const words = t('left', { period: t(period), left, amount: formatQuota(amount, status) })
      return ends_at > 0 ? withAside(words, t('until', { time: formatMinute(ends_at) })) : words
    })
}
