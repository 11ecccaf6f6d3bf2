import type { Selectable } from 'kysely'
import type { ManagedUser } from '../../../contract/user-admin.ts'
import type { UserView } from '../../../contract/users.ts'
import type { Users } from '../../store/schema.ts'

/** The one way a user leaves the server: a list of what may, never the row itself. */
export function viewUser(row: Selectable<Users>): UserView {
  return {
    id: row.id,
    username: row.username,
    password: '',
    display_name: row.display_name,
    role: row.role,
    status: row.status,
    email: row.email ?? '',
    github_id: row.github_id ?? '',
    wechat_id: row.wechat_id ?? '',
    telegram_id: row.telegram_id ?? '',
    linux_do_id: row.linux_do_id ?? '',
    oidc_id: row.oidc_id ?? '',
    discord_id: row.discord_id ?? '',
    verification_code: '',
    access_token: null,
    quota: row.quota,
    used_quota: row.used_quota,
    request_count: row.request_count,
    group: row.group,
    aff_code: row.aff_code ?? '',
    aff_count: row.aff_count,
    aff_quota: row.aff_quota,
    aff_history_quota: row.aff_history_quota,
    inviter_id: row.inviter_id,
    DeletedAt: row.deleted_at === null ? null : new Date(row.deleted_at * 1000).toISOString(),
  }
}

/** The same for administrators, with the limits that they set. */
export function viewManagedUser(row: Selectable<Users>): ManagedUser {
  const { rpm, tpm, concurrency } = row
  return { ...viewUser(row), rpm, tpm, concurrency }
}
