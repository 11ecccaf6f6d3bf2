import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Question } from '../../../../contract/panels.ts'
import { useText } from '../../../text.ts'
import { SafeHtml } from '../../../ui/content/rich-content.tsx'
import { detailText } from '../catalogue.ts'
import { Panel } from './panel.tsx'
import styles from './panels.module.css'

export function Questions({ entries }: { entries: readonly Question[] }) {
  const t = useText(detailText)
  return (
    <Panel title={t('questions')}>
      {entries.map((entry, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing else tells two of the same words apart
        <Answered key={`${at} ${entry.question}`} entry={entry} />
      ))}
    </Panel>
  )
}

function Answered({ entry: { question, answer } }: { entry: Question }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.question} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight size={14} aria-hidden />
        {question}
      </summary>
      {isOpen && (
        <div className={styles.text}>
          <SafeHtml source={answer} format="markdown" />
        </div>
      )}
    </details>
  )
}
