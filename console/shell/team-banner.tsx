import { Button } from '@mantine/core'
import { Users } from 'lucide-react'
import { actFor } from '../acting.ts'
import { shellText } from '../locales/catalogue.ts'
import { useTeam } from '../session.ts'
import { useText } from '../text.ts'
import styles from './shell.module.css'

/** Nobody spends a team's money, or shows it a token, without having been told for whom. */
export function TeamBanner() {
  const t = useText(shellText)
  const team = useTeam()
  if (!team) return null
  return (
    <div className={styles.team} role="status">
      <Users size={16} aria-hidden />
      <span>{t('team.acting', { name: team.name })}</span>
      <Button variant="default" size="compact-xs" onClick={() => actFor(null)}>
        {t('team.back')}
      </Button>
    </div>
  )
}
