import type { StatusDocument } from '../../contract/system.ts'
import styles from './legal.module.css'
import { LegalLinks } from './legal-links.tsx'

export default function LegalRow({ status }: { status: StatusDocument }) {
  return (
    <div className={styles.row}>
      <LegalLinks status={status} />
    </div>
  )
}
