import { Button } from '@mantine/core'
import { Users } from 'lucide-react'
import { actFor } from '../acting.ts'
import { shellText } from '../locales/catalogue.ts'
import { useText } from '../text.ts'
import styles from './shell.module.css'

/** Nobody spends a team's money, or shows it a token, without having been told for whom. */
export function TeamBanner({ name }: { name: string }) {
  const t = useText(shellText)
  return (
    <div className={styles.team} role="status">
      <Users size={16} aria-hidden />
      <span>{t('team.acting', { name })}</span>
      <Button variant="default" size="compact-xs" onClick={() => actFor(null)}>
        {t('team.back')}
      </Button>
    </div>
  )
}
