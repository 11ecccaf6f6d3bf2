import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { LogView } from '../../../contract/logs.ts'
import { formatCount } from '../../format.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { startText } from './catalogue.ts'
import { showCharge } from './show-charge.ts'
import styles from './start.module.css'

/** The first line of the books, or where there are more of them the latest. */
export function Billed({ row, first }: { row: LogView; first: boolean }) {
  const t = useText(startText)
  const status = useStatus()
  const navigate = useNavigate()
  return (
    <>
      <p className={styles.billed} role="status">
        {t(first ? 'billed' : 'billedLatest', { amount: status ? showCharge(row.quota, status) : '' })}
      </p>
      <p>
        {t('billedDetail', {
          model: row.model_name,
          prompt: formatCount(row.prompt_tokens),
          completion: formatCount(row.completion_tokens),
        })}
      </p>
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          navigate({ href: `/log?type=2&start=${row.created_at - 60}` }).catch(() => {})
        }}
      >
        {t('openLog')}
      </Button>
    </>
  )
}
