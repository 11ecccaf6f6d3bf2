import type { ReactNode } from 'react'
import styles from './field-group.module.css'

/** Fields that are read together: their common name stands out, their own stand back. */
export function FieldGroup({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{legend}</legend>
      {children}
    </fieldset>
  )
}
