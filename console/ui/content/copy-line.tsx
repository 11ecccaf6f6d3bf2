import { CopyButton } from './copy-button.tsx'
import styles from './copy-line.module.css'

/** A key or an address, whole, with the button that copies it. */
export function CopyLine({ text, label }: { text: string; label?: string }) {
  return (
    <div className={styles.line}>
      <code>{text}</code>
      <CopyButton text={text} {...(label && { label })} />
    </div>
  )
}
