import { randomBytes } from 'node:crypto'
import { userStatuses } from '../../contract/users.ts'
import { AppError } from '../errors.ts'
import type { App } from './app.ts'
import type { Caller, SessionCookie } from './call.ts'

export const SESSION_SECONDS = 30 * 86_400
/** `seen_at` is for the owner's list of sessions: ten minutes is exact enough and spares a write per call. */
const TOUCH_EVERY = 600

interface From {
  readonly address: string
  readonly userAgent: string
}

export async function issueSession(
  app: App,
  user: { id: number; role: number },
  from: From,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const at = app.now()
  await app.store.db
    .insertInto('sessions')
    .values({
      id_hash: sessionHash(app, token),
      user_id: user.id,
      role: user.role,
      created_at: at,
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
 * force at the next call. A session that was issued for another role is replaced by a new one.
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
    .where('sessions.id_hash', '=', hash)
    .executeTakeFirst()
  const at = app.now()
  if (!row || row.deleted_at !== null || row.expires_at <= at) return undefined
  if (row.status !== userStatuses.active) throw new AppError('auth.banned')
  if (row.session_role !== row.role) {
    await revokeHash(app, hash)
    cookie.set(await issueSession(app, row, from))
  } else if (row.seen_at + TOUCH_EVERY <= at) await touch(app, hash, at)
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

/** When that was last; 0 for never. */
export async function verifiedAt(app: App, token: string): Promise<number> {
  const row = await app.store.db
    .selectFrom('sessions')
    .select('verified_at')
    .where('id_hash', '=', sessionHash(app, token))
    .executeTakeFirst()
  return row?.verified_at ?? 0
}

export async function revokeSession(app: App, token: string): Promise<void> {
  await revokeHash(app, sessionHash(app, token))
}

export async function sweepSessions(app: App): Promise<void> {
  await app.store.db.deleteFrom('sessions').where('expires_at', '<=', app.now()).execute()
}

export function sessionHash(app: App, token: string): string {
  return app.store.cipher.hash('session', token)
}

async function revokeHash(app: App, hash: string): Promise<void> {
  await app.store.db.deleteFrom('sessions').where('id_hash', '=', hash).execute()
}

async function touch(app: App, hash: string, at: number): Promise<void> {
  await app.store.db
    .updateTable('sessions')
    .set({ seen_at: at, expires_at: at + SESSION_SECONDS })
    .where('id_hash', '=', hash)
    .execute()
}
