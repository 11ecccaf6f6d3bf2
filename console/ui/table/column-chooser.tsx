import { Columns3 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import type { Column } from './column.ts'
import styles from './column-chooser.module.css'
import type { ColumnChoice } from './use-column-choice.ts'

interface ColumnChooserProps<Row> {
  columns: readonly Column<Row>[]
  choice: ColumnChoice<Row>
}

/** Ticks for the columns of a table; what makes a row recognisable is not among them. */
export function ColumnChooser<Row>({ columns, choice }: ColumnChooserProps<Row>) {
  const t = useText(shellText)
  const root = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      if (root.current?.open && target instanceof Node && !root.current.contains(target))
        root.current.open = false
    }
    addEventListener('pointerdown', onPress, true)
    return () => removeEventListener('pointerdown', onPress, true)
  }, [])
  return (
    <details
      ref={root}
      className={styles.chooser}
      onKeyDown={event => {
        if (event.key === 'Escape') event.currentTarget.open = false
      }}
    >
      <summary className={styles.button} aria-label={t('table.columns')} title={t('table.columns')}>
        <Columns3 size={16} aria-hidden />
      </summary>
      <fieldset className={styles.panel} aria-label={t('table.columns')}>
        {columns
          .filter(({ heading }) => !heading)
          .map(({ id, header }) => (
            <label key={id} className={styles.item}>
              <input type="checkbox" checked={!choice.hidden.has(id)} onChange={() => choice.toggle(id)} />
              {header}
            </label>
          ))}
      </fieldset>
    </details>
  )
}
