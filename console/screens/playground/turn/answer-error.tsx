import { Link } from '@tanstack/react-router'
import { roles } from '../../../../contract/users.ts'
import { rememberPath } from '../../../return-path.ts'
import { useUser } from '../../../session.ts'
import { useText } from '../../../text.ts'
import { Callout } from '../../../ui/content/callout.tsx'
import { playgroundText } from '../models/catalogue.ts'
import { ChannelsLink } from '../models/no-models.tsx'
import type { Answer } from '../talk/conversation.ts'
import { QuotaHelp } from './quota-help.tsx'
import styles from './turn.module.css'

/** What went wrong, and who can put it right. */
export function AnswerError({ error }: { error: NonNullable<Answer['error']> }) {
  const t = useText(playgroundText)
  const isAdmin = (useUser()?.role ?? 0) >= roles.admin
  const isMissing = error.code === 'model_not_found'
  return (
    <Callout tone="error">
      <div className={styles.fault}>
        <p>{error.message}</p>
        {error.code === 'logged-out' && (
          <p>
            <Link to="/login" onClick={() => rememberPath('/playground')}>
              {t('error.login')}
            </Link>
          </p>
        )}
        {error.code === 'insufficient_user_quota' && (
          <p>
            <QuotaHelp />
          </p>
        )}
        {isMissing && <p>{isAdmin ? t('error.noChannelAdmin') : t('error.noChannel')}</p>}
        {isMissing && isAdmin && <ChannelsLink />}
        {error.data !== '' && error.data !== error.message && (
          <details className={styles.data}>
            <summary>{t('error.data')}</summary>
            <code>{error.data.slice(0, 4000)}</code>
          </details>
        )}
      </div>
    </Callout>
  )
}
