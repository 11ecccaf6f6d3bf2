import { Link } from '@tanstack/react-router'
import { Footprints } from 'lucide-react'
import { roles } from '../../contract/users.ts'
import { useFirstRun } from '../first-run.ts'
import { shellText } from '../locales/catalogue.ts'
import { useUser } from '../session.ts'
import { useText } from '../text.ts'
import styles from './shell.module.css'

/** The way back to the guide for as long as it is neither finished nor skipped. */
export function FirstRunLink() {
  const t = useText(shellText)
  const user = useUser()
  if (useFirstRun() !== 'open' || !user || user.role < roles.admin) return null
  return (
    <Link to="/start" className={styles.guide} aria-label={t('nav.start')}>
      <Footprints size={16} aria-hidden />
      <span className={styles.wide}>{t('nav.start')}</span>
    </Link>
  )
}
