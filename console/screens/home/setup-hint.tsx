import { Link } from '@tanstack/react-router'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Callout } from '../../ui/content/callout.tsx'
import { homeText } from './catalogue.ts'
import styles from './home.module.css'

export function SetupHint() {
  const t = useText(homeText)
  if (useStatus()?.setup !== false) return null
  return (
    <div className={styles.hint}>
      <Callout tone="warning">
        {t('notSetUp')} <Link to="/setup">{t('toSetup')}</Link>
      </Callout>
    </div>
  )
}
