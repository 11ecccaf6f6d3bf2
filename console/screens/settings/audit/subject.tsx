import { Link } from '@tanstack/react-router'
import { useLanguage, useText } from '../../../text.ts'
import styles from './audit.module.css'
import { auditText } from './catalogue.ts'
import { nameField } from './field-names.ts'
import { useSettingNamed } from './setting-query.ts'

/** What was changed, by the name it has elsewhere in the console; a click leads there. */
export function Subject({ subject }: { subject: string }) {
  const t = useText(auditText)
  const language = useLanguage()
  const [kind = '', id = ''] = subject.split(/:(.*)/s)
  const isId = /^\d+$/.test(id)
  if (kind === 'option') return <SettingName name={id} />
  if (kind === 'user' && isId)
    return (
      <Link to="/user/edit/$id" params={{ id }} className={styles.link}>
        {`${t('user')} ${id}`}
      </Link>
    )
  if (kind === 'team' && isId)
    return (
      <Link to="/team" search={{ id: Number(id) }} className={styles.link}>
        {`${nameField(kind, language)} ${id}`}
      </Link>
    )
  if (kind === 'channel' && isId)
    return (
      <Link to="/channel/edit/$id" params={{ id }} className={styles.link}>
        {`${t('channel')} ${id}`}
      </Link>
    )
  if (kind === 'plan' && isId)
    return (
      <Link to="/plan/edit/$id" params={{ id }} className={styles.link}>
        {`${nameField(kind, language)} ${id}`}
      </Link>
    )
  // Of several codes it is told how many there were.
  const rest = kind === 'redemptions' ? `× ${id}` : id
  return [nameField(kind, language), rest].filter(Boolean).join(' ')
}

function SettingName({ name }: { name: string }) {
  const language = useLanguage()
  return <span title={name}>{useSettingNamed(name)?.label[language] ?? name}</span>
}
