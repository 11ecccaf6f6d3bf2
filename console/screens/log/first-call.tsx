import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { publicAddress } from '../../public-address.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { CopyButton } from '../../ui/content/copy-button.tsx'
import { Empty } from '../../ui/table/empty.tsx'
import { snippetFor } from '../home/snippet.ts'
import { logText } from './catalogue.ts'
import styles from './log.module.css'

/** There is no row yet: how to make one. Who runs the site needs a channel before a token, which the guide knows. */
export function FirstCall({ isAdmin }: { isAdmin: boolean }) {
  const t = useText(logText)
  const code = snippetFor(publicAddress(useStatus()?.server_address))
  return (
    <Empty
      title={t('nothingYet')}
      actions={
        <Button component={Link} to={isAdmin ? '/start' : '/token'} size="xs">
          {t(isAdmin ? 'nav.start' : 'toTokens')}
        </Button>
      }
    >
      <p>{t('nothingYetLead')}</p>
      <div className={styles.snippet}>
        <pre>{code}</pre>
        <CopyButton text={code} label={t('copySnippet')} />
      </div>
    </Empty>
  )
}
