import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import { userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import type { Store } from '../../store/index.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { type AuditEvent, recordAudit } from '../audit-record.ts'
import type { Call, Caller } from '../call.ts'
import { lockUser } from './lock-user.ts'
import { sessionHash } from './sessions.ts'

/** Makes a user's system access token; the former one stops working. Only its hash is kept. */
export async function replaceAccessToken(
  app: App,
  call: Came & { readonly address: string },
): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  const { id } = call.caller
  await app.store.transaction(async transaction => {
    await staysSignedIn(app, transaction, call)
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

/** By what a caller was let in, as it is kept. */
export interface CameWith {
  readonly session?: string
  readonly accessToken?: string
}

export type Came = Pick<Call<unknown, unknown, Caller>, 'caller' | 'session' | 'authorization'>

export function cameWith(app: App, { caller, session, authorization }: Came): CameWith {
  return caller.via === 'session'
    ? { session: sessionHash(app, session.token ?? '') }
    : { accessToken: hashAccessToken(app.store, tokenIn(authorization ?? '')) }
}

/** Whoever has just lost what they came with, by a new password or otherwise, does not get something else for it. */
async function staysSignedIn(app: App, transaction: Transaction<Schema>, call: Came): Promise<void> {
  const { session, accessToken } = cameWith(app, call)
  const user = await lockUser(app, transaction, call.caller.id)
  const proof =
    session === undefined
      ? user?.access_token_hash === accessToken
      : await transaction
          .selectFrom('sessions')
          .select('user_id')
          .where('id_hash', '=', session)
          .executeTakeFirst()
  if (!user || !proof) throw new AppError('auth.required')
}

export async function hasAccessToken(app: App, userId: number): Promise<boolean> {
  const found = await app.store.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('access_token_hash', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
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
  const token = tokenIn(authorization)
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

function tokenIn(authorization: string): string {
  return authorization.replace(/^Bearer\s+/i, '').trim()
}

/** What a system access token is found by. */
export function hashAccessToken({ cipher }: Pick<Store, 'cipher'>, token: string): string {
  return cipher.hash('access-token', token)
}
