import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { labelsHeader } from '../../../contract/labels.ts'
import { useText } from '../../text.ts'
import { Empty } from '../../ui/table/empty.tsx'
import { detailText } from './catalogue.ts'
import styles from './detail.module.css'

/** Nobody has said what calls are for: how to say it, with the next call or for all of a token's. */
export function NoLabels() {
  const t = useText(detailText)
  return (
    <Empty
      title={t('noLabels')}
      actions={
        <Button size="xs" variant="default" component={Link} to="/token">
          {t('toTokens')}
        </Button>
      }
    >
      {t('noLabelsLead')}
      <code className={styles.header}>{labelsHeader.name}: project:search,env:prod</code>
    </Empty>
  )
}
