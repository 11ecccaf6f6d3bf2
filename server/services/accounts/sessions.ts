import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import { userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import type { Caller, SessionCookie } from '../call.ts'
import { lockUser } from './lock-user.ts'

export const SESSION_SECONDS = 30 * 86_400
/** How long a replaced session still serves the calls that were on their way when it was replaced. */
export const GRACE_SECONDS = 30
/** `seen_at` is for the owner's list of sessions: ten minutes is exact enough and spares a write per call. */
const TOUCH_EVERY = 600

interface From {
  readonly address: string
  readonly userAgent: string
}

/**
 * With the user's row locked: whoever ends all sessions changes that first, and then finds this one. A session that takes
 * the place of another began, and was proved, when that one was.
 */
export async function issueSession(
  app: App,
  transaction: Transaction<Schema>,
  user: { id: number; role: number },
  from: From,
  former?: { readonly created_at: number; readonly verified_at: number },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const at = app.now()
  await transaction
    .insertInto('sessions')
    .values({
      id_hash: sessionHash(app, token),
      user_id: user.id,
      role: user.role,
      created_at: former?.created_at ?? at,
      verified_at: former?.verified_at ?? 0,
      seen_at: at,
      expires_at: at + SESSION_SECONDS,
      address: from.address.slice(0, 64),
      user_agent: from.userAgent.slice(0, 255),
    })
    .execute()
  return token
}

/**
 * The caller behind a session cookie, read from the database each time: a ban or a change of role is in
 * force at the next call. A session that was issued for another role is replaced by a new one, by one of the
 * calls that find it so; the others go on with it for the little while that it has left.
 */
export async function findSessionCaller(
  app: App,
  cookie: SessionCookie,
  from: From,
): Promise<Caller | undefined> {
  if (!cookie.token || cookie.token.length > 100) return undefined
  const hash = sessionHash(app, cookie.token)
  const row = await app.store.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.username', 'users.role', 'users.status', 'users.group', 'users.deleted_at'])
    .select(['sessions.role as session_role', 'sessions.seen_at', 'sessions.expires_at'])
    .select(['sessions.created_at', 'sessions.verified_at'])
    .where('sessions.id_hash', '=', hash)
    .executeTakeFirst()
  const at = app.now()
  if (!row || row.deleted_at !== null || row.expires_at <= at) return undefined
  if (row.status !== userStatuses.active) throw new AppError('auth.banned')
  if (row.session_role !== row.role) {
    const token = await app.store.transaction(async transaction => {
      await lockUser(app, transaction, row.id)
      return (await retire(app, transaction, hash, row)) && issueSession(app, transaction, row, from, row)
    })
    if (token) cookie.set(token)
  } else if (row.seen_at + TOUCH_EVERY <= at) await touch(app, hash, row.seen_at)
  return {
    id: row.id,
    username: row.username,
    role: row.role,
    status: row.status,
    group: row.group,
    via: 'session',
  }
}

/** Notes that the owner of a session has just proved again who they are. */
export async function markVerified(app: App, token: string): Promise<void> {
  await app.store.db
    .updateTable('sessions')
    .set({ verified_at: app.now() })
    .where('id_hash', '=', sessionHash(app, token))
    .execute()
}

/** When that was last, 0 for never; and when the session began, which took a proof too. */
export async function provedAt(
  app: App,
  token: string,
): Promise<{ readonly signedInAt: number; readonly verifiedAt: number }> {
  const row = await app.store.db
    .selectFrom('sessions')
    .select(['created_at', 'verified_at'])
    .where('id_hash', '=', sessionHash(app, token))
    .executeTakeFirst()
  return { signedInAt: row?.created_at ?? 0, verifiedAt: row?.verified_at ?? 0 }
}

export async function revokeSession(app: App, token: string): Promise<void> {
  await revokeHash(app, sessionHash(app, token))
}

export async function sweepSessions({ store, now }: Pick<App, 'store' | 'now'>): Promise<void> {
  await store.db.deleteFrom('sessions').where('expires_at', '<=', now()).execute()
}

export function sessionHash(app: App, token: string): string {
  return app.store.cipher.hash('session', token)
}

async function revokeHash(app: App, hash: string): Promise<void> {
  await app.store.db.deleteFrom('sessions').where('id_hash', '=', hash).execute()
}

/** Leaves a session its grace, and no more; true for the one call that is to put another in its place. */
async function retire(
  app: App,
  transaction: Transaction<Schema>,
  hash: string,
  { session_role, role, expires_at }: { session_role: number; role: number; expires_at: number },
): Promise<boolean> {
  const at = app.now()
  const { numUpdatedRows } = await transaction
    .updateTable('sessions')
    .set({ role, seen_at: at, expires_at: Math.min(expires_at, at + GRACE_SECONDS) })
    .where('id_hash', '=', hash)
    .where('role', '=', session_role)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Only as it was found: one that was retired meanwhile must not live on. */
async function touch(app: App, hash: string, found: number): Promise<void> {
  const at = app.now()
  await app.store.db
    .updateTable('sessions')
    .set({ seen_at: at, expires_at: at + SESSION_SECONDS })
    .where('id_hash', '=', hash)
    .where('seen_at', '=', found)
    .execute()
}
