import { Section, type SectionProps } from '../section.tsx'
import { ClearLogs } from './clear-logs.tsx'
import { ClosedBooks } from './closed-books.tsx'
import styles from './operation.module.css'

export function LogSection(props: SectionProps) {
  const months = props.options.values.BooksMonths
  const after = (
    <div className={styles.after}>
      <ClearLogs />
      <ClosedBooks isWanted={months !== undefined && months !== '0'} />
    </div>
  )
  return <Section {...props} after={after} />
}
