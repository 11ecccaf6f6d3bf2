import { X } from 'lucide-react'
import { LATEST, PRODUCTION, type PromptLabel } from '../../../contract/prompts.ts'
import { useText } from '../../text.ts'
import { Tag } from '../../ui/content/tag.tsx'
import { promptText } from './catalogue.ts'
import styles from './versions.module.css'

/** What callers name a version by, besides its number. */
export function labelsOf(
  labels: readonly PromptLabel[],
  version: number,
  newest: number | undefined,
): string[] {
  const own = labels.filter(one => one.version === version).map(({ label }) => label)
  return version === newest ? [...own, LATEST] : own
}

interface VersionLabelsProps {
  labels: readonly string[]
  /** Undefined for who may not change it. */
  remove: ((label: string) => void) | undefined
}

export function VersionLabels({ labels, remove }: VersionLabelsProps) {
  const t = useText(promptText)
  return labels.map(label => (
    <Tag key={label} tone={label === PRODUCTION ? 'green' : label === LATEST ? 'grey' : 'blue'}>
      {label}
      {remove && label !== PRODUCTION && label !== LATEST && (
        <button
          type="button"
          className={styles.takeOff}
          aria-label={t('removeLabel', { label })}
          onClick={() => remove(label)}
        >
          <X size={12} aria-hidden />
        </button>
      )}
    </Tag>
  ))
}
