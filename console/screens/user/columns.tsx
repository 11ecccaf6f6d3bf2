import type { UserSort } from '../../../contract/list-sorts.ts'
import type { StatusDocument } from '../../../contract/system.ts'
import type { ManagedUser } from '../../../contract/user-admin.ts'
import { roles } from '../../../contract/users.ts'
import { formatCount } from '../../format.ts'
import { shortNumber } from '../../quota.ts'
import type { TranslateOf } from '../../text.ts'
import { Amount } from '../../ui/amounts/amount.tsx'
import { GroupTag } from '../../ui/content/group-tag.tsx'
import { nothing } from '../../ui/content/nothing.tsx'
import { Tag } from '../../ui/content/tag.tsx'
import { OpenName } from '../../ui/lists/open-name.tsx'
import { HeadingId, idColumn } from '../../ui/lists/row-id.tsx'
import type { Column } from '../../ui/table/column.ts'
import type { userText } from './catalogue.ts'
import styles from './user.module.css'

type UserTranslate = TranslateOf<typeof userText>

export function userColumns(
  t: UserTranslate,
  status: StatusDocument | undefined,
  sorting: (column: Exclude<UserSort, `-${string}`>) => Column<ManagedUser>['sort'],
  edit: (user: ManagedUser) => (() => unknown) | undefined,
): Column<ManagedUser>[] {
  // Up to $999,999.99.
  const amount = (quota: number) => <Amount quota={quota} status={status} room={11} />
  return [
    idColumn(t('id'), 50),
    {
      id: 'username',
      header: t('username'),
      heading: true,
      cell: user => (
        <span className={styles.name} data-lines>
          <UserName user={user} open={edit(user)} />
          <span className={styles.second}>
            {user.email || (user.display_name === user.username ? '' : user.display_name)}
          </span>
        </span>
      ),
    },
    {
      id: 'group',
      header: t('group'),
      width: 82,
      inCard: 'behind',
      cell: ({ group }) => <GroupTag name={group} />,
    },
    {
      id: 'balance',
      header: t('balance'),
      width: 104,
      align: 'end',
      inCard: 'figure',
      sort: sorting('quota'),
      cell: user => amount(user.quota),
    },
    {
      id: 'used',
      header: t('used'),
      width: 104,
      align: 'end',
      inCard: 'figure',
      sort: sorting('used_quota'),
      cell: user => amount(user.used_quota),
    },
    {
      id: 'requests',
      header: t('requests'),
      width: 84,
      align: 'end',
      inCard: 'figure',
      sort: sorting('request_count'),
      cell: user => <span title={formatCount(user.request_count)}>{shortNumber(user.request_count)}</span>,
    },
    {
      id: 'invited',
      header: t('invited'),
      width: 98,
      align: 'end',
      inCard: 'behind',
      cell: user => (
        <span title={user.inviter_id ? t('invitedBy', { id: user.inviter_id }) : t('invitedByNobody')}>
          {user.aff_count > 0 || user.aff_history_quota > 0 ? (
            <>
              {formatCount(user.aff_count)} ·{' '}
              <Amount quota={user.aff_history_quota} status={status} room={6} />
            </>
          ) : (
            nothing
          )}
        </span>
      ),
    },
    {
      id: 'role',
      header: t('role'),
      width: 104,
      inCard: 'behind',
      cell: ({ role }) => <RoleTag t={t} role={role} />,
    },
    {
      id: 'status',
      header: t('status'),
      width: 112,
      inCard: 'beside',
      cell: user => <StatusTag t={t} user={user} />,
    },
  ]
}

function UserName({ user, open }: { user: ManagedUser; open: (() => unknown) | undefined }) {
  const behind = <HeadingId id={user.id} />
  if (!open)
    return (
      <span>
        {user.username}
        {behind}
      </span>
    )
  return (
    <OpenName name={user.username} open={open}>
      {behind}
    </OpenName>
  )
}

function RoleTag({ t, role }: { t: UserTranslate; role: number }) {
  if (role >= roles.root) return <Tag tone="orange">{t('role.root')}</Tag>
  if (role >= roles.admin) return <Tag tone="yellow">{t('role.admin')}</Tag>
  if (role < roles.user) return <Tag tone="blue">{t('role.team')}</Tag>
  return <Tag>{t('role.user')}</Tag>
}

function StatusTag({ t, user }: { t: UserTranslate; user: ManagedUser }) {
  if (user.DeletedAt !== null) return <Tag tone="red">{t('deactivated')}</Tag>
  if (user.status === 1) return <Tag tone="green">{t('active')}</Tag>
  if (user.status === 2) return <Tag tone="grey">{t('banned')}</Tag>
  return <Tag>{t('unknown')}</Tag>
}
