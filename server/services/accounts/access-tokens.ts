import { randomBytes } from 'node:crypto'
import { userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import type { Store } from '../../store/index.ts'
import type { App } from '../app.ts'
import { type AuditEvent, recordAudit } from '../audit-record.ts'
import type { Caller } from '../call.ts'

/** Makes a user's system access token; the former one stops working. Only its hash is kept. */
export async function replaceAccessToken(
  app: App,
  call: { readonly caller: Caller; readonly address: string },
): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  const { id } = call.caller
  await app.store.transaction(async transaction => {
    await transaction
      .updateTable('users')
      .set({ access_token_hash: hashAccessToken(app.store, token) })
      .where('id', '=', id)
      .execute()
    const event: AuditEvent = { action: 'account.access-token', subject: `user:${id}` }
    await recordAudit(app, call, event, transaction)
  })
  return token
}

/** Without another in its place. */
export async function revokeAccessToken(
  app: App,
  call: { readonly caller: Caller; readonly address: string },
): Promise<void> {
  const { id } = call.caller
  await app.store.transaction(async transaction => {
    const { numUpdatedRows } = await transaction
      .updateTable('users')
      .set({ access_token_hash: null })
      .where('id', '=', id)
      .where('access_token_hash', 'is not', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    const event: AuditEvent = { action: 'account.revoke-token', subject: `user:${id}` }
    await recordAudit(app, call, event, transaction)
  })
}

/** The caller behind an Authorization header, with or without `Bearer `. */
export async function findTokenCaller(app: App, authorization: string): Promise<Caller> {
  const token = authorization.replace(/^Bearer\s+/i, '').trim()
  if (token === '' || token.length > 200) throw new AppError('auth.bad-access-token')
  const row = await app.store.db
    .selectFrom('users')
    .select(['id', 'username', 'role', 'status', 'group'])
    .where('access_token_hash', '=', hashAccessToken(app.store, token))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new AppError('auth.bad-access-token')
  if (row.status !== userStatuses.active) throw new AppError('auth.banned')
  return { ...row, via: 'access-token' }
}

/** What a system access token is found by. */
export function hashAccessToken({ cipher }: Pick<Store, 'cipher'>, token: string): string {
  return cipher.hash('access-token', token)
}
