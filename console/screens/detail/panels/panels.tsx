import type { StatusDocument } from '../../../../contract/system.ts'
import { useText } from '../../../text.ts'
import { detailText } from '../catalogue.ts'
import { Addresses } from './addresses.tsx'
import { Announcements } from './announcements.tsx'
import styles from './panels.module.css'
import { Questions } from './questions.tsx'
import { Uptime } from './uptime.tsx'

type Told = Pick<StatusDocument, 'api_info' | 'announcements' | 'faq' | 'uptime_kuma_enabled'>

/** What the operator tells, beside the figures. Of an empty list nothing is shown. */
export default function Panels({ status }: { status: Told }) {
  const t = useText(detailText)
  const { api_info, announcements, faq, uptime_kuma_enabled } = status
  return (
    <section className={styles.grid} aria-label={t('panels')}>
      {announcements.length > 0 && <Announcements entries={announcements} />}
      {uptime_kuma_enabled && <Uptime />}
      {api_info.length > 0 && <Addresses entries={api_info} />}
      {faq.length > 0 && <Questions entries={faq} />}
    </section>
  )
}
