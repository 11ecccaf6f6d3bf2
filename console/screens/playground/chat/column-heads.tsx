import { X } from 'lucide-react'
import { useText } from '../../../text.ts'
import { playgroundText } from '../models/catalogue.ts'
import styles from './columns.module.css'

interface ColumnHeadsProps {
  models: readonly string[]
  /** Which one small screens show. */
  shown: number
  onShow(column: number): void
  onRemove(column: number): void
}

/** The names over the columns; on a small screen they choose the one that is seen. */
export function ColumnHeads({ models, shown, onShow, onRemove }: ColumnHeadsProps) {
  const t = useText(playgroundText)
  return (
    <div className={styles.heads}>
      <div className={styles.row} data-columns={models.length}>
        {models.map((model, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
          <div key={column} className={styles.head} data-shown={column === shown}>
            <button
              type="button"
              className={styles.name}
              aria-pressed={column === shown}
              onClick={() => onShow(column)}
            >
              {model}
            </button>
            <button
              type="button"
              className={styles.remove}
              aria-label={t('model.remove', { model })}
              onClick={() => onRemove(column)}
            >
              <X size={14} aria-hidden />
            </button>
          </div>
        ))}
      </div>
    </div>
  )
}
