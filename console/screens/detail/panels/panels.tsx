import type { StatusDocument } from '../../../../contract/system.ts'
import { useText } from '../../../text.ts'
import { detailText } from '../catalogue.ts'
import { Addresses } from './addresses.tsx'
import { Announcements } from './announcements.tsx'
import styles from './panels.module.css'
import { Questions } from './questions.tsx'

type Told = Pick<StatusDocument, 'api_info' | 'announcements' | 'faq'>

/** What the operator tells, beside the figures. Of an empty list nothing is shown. */
export default function Panels({ status: { api_info, announcements, faq } }: { status: Told }) {
  const t = useText(detailText)
  return (
    <section className={styles.grid} aria-label={t('panels')}>
      {announcements.length > 0 && <Announcements entries={announcements} />}
      {api_info.length > 0 && <Addresses entries={api_info} />}
      {faq.length > 0 && <Questions entries={faq} />}
    </section>
  )
}
