import type { Column } from '../table/column.ts'
import styles from './row-id.module.css'

/** A column of ids. Cards on phones begin with their heading, which has the id behind it. */
export function idColumn<Row extends { readonly id: number }>(header: string, width: number): Column<Row> {
  return {
    id: 'id',
    header,
    width,
    wideOnly: true,
    cell: ({ id }) => <span className={styles.id}>{id}</span>,
  }
}

export function HeadingId({ id }: { id: number }) {
  return <span className={`${styles.id} ${styles.behind}`}>#{id}</span>
}
