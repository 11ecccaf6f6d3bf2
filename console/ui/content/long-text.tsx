import { useState } from 'react'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { Dialog } from '../layers/dialog.tsx'
import { CopyButton } from './copy-button.tsx'
import styles from './long-text.module.css'
import { nothing } from './nothing.tsx'

/** A text that a cell shows the beginning of; a click shows it whole. */
export function LongText({ text, title }: { text: string; title: string }) {
  const t = useText(shellText)
  const [opened, setOpened] = useState(false)
  if (text === '') return nothing
  return (
    <>
      <button type="button" className={styles.button} title={t('text.whole')} onClick={() => setOpened(true)}>
        {text}
      </button>
      {opened && (
        <Dialog opened onClose={() => setOpened(false)} title={title} size={560}>
          <p className={styles.text}>{text}</p>
          <CopyButton text={text} />
        </Dialog>
      )}
    </>
  )
}
