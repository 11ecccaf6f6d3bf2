import { useQuery } from '@tanstack/react-query'
import type { PromptDetails } from '../../../contract/prompts.ts'
import { useText } from '../../text.ts'
import { NativeSelect } from '../../ui/fields/fields.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { promptText } from './catalogue.ts'
import { Difference } from './difference.tsx'
import { versionQuery } from './prompts-query.ts'
import { labelsOf } from './version-labels.tsx'
import styles from './versions.module.css'

export interface Compared {
  readonly one: number
  readonly other: number
}

interface ComparisonProps {
  prompt: PromptDetails
  compared: Compared
  onChange(compared: Compared): void
}

/** Two versions side by side. */
export function Comparison({ prompt, compared, onChange }: ComparisonProps) {
  const t = useText(promptText)
  const numbers = prompt.versions.map(({ version }) => version)
  // One that was deleted meanwhile is chosen no more.
  const known = (version: number) => (numbers.includes(version) ? version : prompt.version)
  const one = useQuery(versionQuery(prompt.id, known(compared.one))).data
  const other = useQuery(versionQuery(prompt.id, known(compared.other))).data
  const choice = (side: keyof Compared) => (
    <NativeSelect
      size="xs"
      aria-label={`${t('compare')} ${side === 'one' ? 1 : 2}`}
      data={numbers.map(version => ({
        value: String(version),
        label: [version, ...labelsOf(prompt.labels, version, numbers[0])].join(' · '),
      }))}
      value={String(known(compared[side]))}
      onChange={event => onChange({ ...compared, [side]: Number(event.currentTarget.value) })}
    />
  )
  return (
    <section className={styles.comparison} aria-label={t('compare')}>
      <div className={styles.pair}>
        {choice('one')}
        {choice('other')}
      </div>
      {one && other ? <Difference one={one} other={other} /> : <Skeleton rows={6} />}
    </section>
  )
}
