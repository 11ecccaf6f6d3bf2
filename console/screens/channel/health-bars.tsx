import { memo } from 'react'
import styles from './channel.module.css'
import { HOURS, type Hour } from './read-health.ts'

const STEP = 3
const HEIGHT = 10

/** A bar for each hour: how high tells how many calls, its colour how many of them failed. */
export const HealthBars = memo(function HealthBars({
  hours,
  label,
}: {
  hours: readonly Hour[]
  label: string
}) {
  const most = Math.max(1, ...hours.map(({ requests }) => requests))
  const bars = (kind: 'good' | 'some' | 'bad') =>
    hours
      .flatMap(({ requests, errors }, at) => {
        if (requests === 0 || kindOf(errors / requests) !== kind) return []
        const top = HEIGHT - Math.max(2, Math.round((requests / most) * HEIGHT))
        return `M${at * STEP + 1} ${HEIGHT}V${top}`
      })
      .join('')
  return (
    <svg className={styles.health} width={HOURS * STEP} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      <path className={styles.healthGround} d={`M0 ${HEIGHT - 0.5}H${HOURS * STEP - 1}`} />
      <path className={styles.healthGood} d={bars('good')} />
      <path className={styles.healthSome} d={bars('some')} />
      <path className={styles.healthBad} d={bars('bad')} />
    </svg>
  )
})

function kindOf(failed: number): 'good' | 'some' | 'bad' {
  if (failed === 0) return 'good'
  return failed < 0.5 ? 'some' : 'bad'
}
