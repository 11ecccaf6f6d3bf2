import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Endpoints } from '../../../contract/index.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../app.ts'
import { recordAudit } from '../audit-record.ts'
import type { CallOf } from '../call.ts'
import { GRACE_SECONDS, sessionHash } from './sessions.ts'

/** Enough of the hash to name a session by; nobody can make a cookie from it. */
const ID_LENGTH = 16
const SHOWN = 100

export async function listSessions(
  app: App,
  { caller, session }: CallOf<Endpoints['listSessions']>,
): Promise<OutputOf<Endpoints['listSessions']>> {
  const rows = await app.store.db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', caller.id)
    // Those that were replaced moments ago are no longer anyone's.
    .where('expires_at', '>', app.now() + GRACE_SECONDS)
    .orderBy('seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(SHOWN)
    .execute()
  const own = session.token && sessionHash(app, session.token)
  return rows.map(({ id_hash, user_id: _user, role: _role, ...rest }) => ({
    ...rest,
    id: id_hash.slice(0, ID_LENGTH),
    current: id_hash === own,
  }))
}

/** Somebody else's session and none at all are the same. */
export async function endSession(app: App, call: CallOf<Endpoints['revokeSession']>): Promise<void> {
  const { caller, params, session } = call
  const { id = '' } = params
  if (!/^[0-9a-f]{16}$/.test(id)) throw new AppError('row.not-found')
  const { numDeletedRows } = await app.store.db
    .deleteFrom('sessions')
    .where('user_id', '=', caller.id)
    .where('id_hash', 'like', `${id}%`)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new AppError('row.not-found')
  await recordAudit(app, call, { action: 'account.end-session', subject: `user:${caller.id}` })
  if (session.token && sessionHash(app, session.token).startsWith(id)) session.clear()
}
