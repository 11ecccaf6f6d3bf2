import { Link } from '@tanstack/react-router'
import { isSettingKey, settings } from '../../../../contract/settings/index.ts'
import { currentLanguage, useText } from '../../../text.ts'
import styles from './audit.module.css'
import { auditText } from './catalogue.ts'

/** What was changed, by the name it has elsewhere in the console; a click leads there. */
export function Subject({ subject }: { subject: string }) {
  const t = useText(auditText)
  const [kind = '', id = ''] = subject.split(/:(.*)/s)
  if (/^\d+$/.test(id)) {
    if (kind === 'user')
      return (
        <Link to="/user/edit/$id" params={{ id }} className={styles.link}>
          {t('user', { id })}
        </Link>
      )
    if (kind === 'channel')
      return (
        <Link to="/channel/edit/$id" params={{ id }} className={styles.link}>
          {`${t('channel')} ${id}`}
        </Link>
      )
    if (kind === 'redemption') return t('code', { id })
  }
  if (kind === 'option' && isSettingKey(id))
    return <span title={id}>{settings[id].label[currentLanguage()]}</span>
  return subject
}
