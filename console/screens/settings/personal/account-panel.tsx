import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { StatusDocument } from '../../../../contract/system.ts'
import { roles, type UserView } from '../../../../contract/users.ts'
import { formatCount } from '../../../format.ts'
import { formatQuota } from '../../../quota.ts'
import { useText } from '../../../text.ts'
import { Tag } from '../../../ui/content/tag.tsx'
import { personalText } from './catalogue.ts'
import { Figure, Panel } from './panel.tsx'
import styles from './personal.module.css'

export function AccountPanel({ user, status }: { user: UserView; status: StatusDocument }) {
  const t = useText(personalText)
  const role =
    user.role >= roles.root ? t('role.root') : user.role >= roles.admin ? t('role.admin') : t('role.user')
  return (
    <Panel
      title={user.display_name || user.username}
      lead={
        <span className={styles.tags}>
          {user.display_name !== '' && user.display_name !== user.username && <Tag>{user.username}</Tag>}
          <Tag>{t('account.id', { id: user.id })}</Tag>
          <Tag>{role}</Tag>
          <Tag>{t('account.group', { group: user.group })}</Tag>
        </span>
      }
      action={
        <Button component={Link} to="/user/edit" variant="default" size="xs">
          {t('account.edit')}
        </Button>
      }
    >
      <dl className={`${styles.body} ${styles.figures}`} aria-label={t('account.title')}>
        <Figure label={t('balance')} large>
          {formatQuota(user.quota, status)}
        </Figure>
        <Figure label={t('spent')}>{formatQuota(user.used_quota, status)}</Figure>
        <Figure label={t('requests')}>{formatCount(user.request_count)}</Figure>
      </dl>
    </Panel>
  )
}
