import { memo, useState } from 'react'
import type { PricedModel } from '../../../../contract/pricing.ts'
import type { StatusDocument } from '../../../../contract/system.ts'
import { formatMilliseconds } from '../../../format.ts'
import { shortNumber } from '../../../quota.ts'
import { useText } from '../../../text.ts'
import { formatSmallDollars } from '../../../ui/amounts/charge.ts'
import { LedgerLine } from '../../../ui/amounts/ledger-line.tsx'
import { playgroundText } from '../models/catalogue.ts'
import { type Answer, isRunning, type Usage } from '../talk/conversation.ts'
import { useGrowth } from '../talk/conversation-store.ts'
import styles from '../turn/turn.module.css'
import { estimateQuota, estimateTokens } from './estimate.ts'

const counts = new Intl.NumberFormat('en-US')

interface AnswerCostProps {
  answer: Answer
  prices: ReadonlyMap<string, PricedModel>
  groupRatio: number
  status: StatusDocument | undefined
}

/** What an answer costs: about, while it comes; by the books, when they are closed. And how long it took. */
export const AnswerCost = memo(function AnswerCost(props: AnswerCostProps) {
  const { prices, groupRatio, status } = props
  const answer = useNowAndThen(props.answer)
  const t = useText(playgroundText)
  const [open, setOpen] = useState(false)
  const { billed, firstTokenMs, durationMs } = answer
  const said = answer.text !== '' || answer.reasoning !== ''
  if (!status || (!said && !billed)) return null

  const usage = billed && billed.prompt > 0 ? billed : (answer.usage ?? guess(answer))
  const estimate = estimateQuota(prices.get(answer.model), groupRatio, status.quota_per_unit, usage)
  const cost = billed ? formatCost(billed.quota, status, t('cost.units')) : undefined
  const about = estimate === undefined ? undefined : `≈ ${formatCost(estimate, status, t('cost.units'))}`
  return (
    <div className={styles.meta}>
      {cost &&
        (billed?.ratios ? (
          <button
            type="button"
            className={styles.cost}
            aria-expanded={open}
            title={t('cost.how')}
            onClick={() => setOpen(!open)}
          >
            {cost}
          </button>
        ) : (
          <span className={styles.billed}>{cost}</span>
        ))}
      {!cost && about && <span title={t('cost.estimate')}>{about}</span>}
      <span>
        {t('cost.tokens', {
          prompt: counts.format(usage.prompt),
          completion: counts.format(usage.completion),
        })}
      </span>
      {firstTokenMs !== undefined && (
        <span>{t('cost.first', { time: formatMilliseconds(firstTokenMs) })}</span>
      )}
      {durationMs !== undefined && !isRunning(answer) && (
        <span>{t('cost.took', { time: formatMilliseconds(durationMs) })}</span>
      )}
      {open && billed?.ratios && (
        <div className={styles.ledger}>
          <LedgerLine
            prompt={billed.prompt}
            completion={billed.completion}
            completionRatio={billed.ratios.completion}
            modelRatio={billed.ratios.model}
            groupRatio={billed.ratios.group}
            quotaPerUnit={status.quota_per_unit}
          />
        </div>
      )}
    </div>
  )
})

/** While an answer grows, what it costs is told anew so often. Milliseconds. */
const NOW_AND_THEN = 1000

function useNowAndThen(answer: Answer): Answer {
  const [seen, setSeen] = useState({ answer, at: 0 })
  useGrowth(answer, latest => {
    const now = performance.now()
    if (isRunning(latest) && latest !== seen.answer && now - seen.at >= NOW_AND_THEN)
      setSeen({ answer: latest, at: now })
  })
  return isRunning(answer) && seen.answer.id === answer.id && isRunning(seen.answer) ? seen.answer : answer
}

function guess({ promptEstimate = 0, text, reasoning }: Answer): Usage {
  return { prompt: promptEstimate, completion: estimateTokens(text) + estimateTokens(reasoning) }
}

export function formatCost(
  quota: number,
  status: Pick<StatusDocument, 'display_in_currency' | 'quota_per_unit'>,
  units: string,
): string {
  if (!status.display_in_currency) return `${shortNumber(Math.round(quota))} ${units}`
  return formatSmallDollars(quota / status.quota_per_unit)
}
