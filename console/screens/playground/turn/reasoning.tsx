import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../../../text.ts'
import { GrowingText } from '../markdown/growing-text.tsx'
import { playgroundText } from '../models/catalogue.ts'
import type { Answer } from '../talk/conversation.ts'
import styles from './turn.module.css'

/** What the model thought: open while there is nothing else to read, folded once it speaks. */
export function Reasoning({ answer, thinking }: { answer: Answer; thinking: boolean }) {
  const t = useText(playgroundText)
  const [chosen, setChosen] = useState<boolean>()
  const open = chosen ?? thinking
  return (
    <div className={styles.reasoning}>
      <button type="button" aria-expanded={open} className={styles.fold} onClick={() => setChosen(!open)}>
        <ChevronRight size={14} aria-hidden />
        {thinking ? t('reasoning.thinking') : t('reasoning.title')}
      </button>
      {open && <GrowingText answer={answer} part="reasoning" className={styles.thoughts} />}
    </div>
  )
}
