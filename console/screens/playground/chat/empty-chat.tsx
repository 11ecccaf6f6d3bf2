import { useText } from '../../../text.ts'
import { playgroundText } from '../models/catalogue.ts'
import styles from './empty-chat.module.css'

const starters = ['starter.explain', 'starter.code', 'starter.translate', 'starter.table'] as const

/** Before the first question: what this is, and a few to begin with. They are put into the input, not sent. */
export function EmptyChat({ onPick }: { onPick(text: string): void }) {
  const t = useText(playgroundText)
  return (
    <div className={styles.empty}>
      <h2>{t('empty.title')}</h2>
      <p className={styles.lead}>{t('empty.lead')}</p>
      <ul className={styles.starters}>
        {starters.map(key => (
          <li key={key}>
            <button type="button" onClick={() => onPick(t(key))}>
              {t(key)}
            </button>
          </li>
        ))}
      </ul>
      <p className={styles.hint}>{t('empty.hint')}</p>
    </div>
  )
}
