import { logTypes } from '../../../contract/log-types.ts'
import { AppError } from '../../errors.ts'
import { writeLog } from '../../ledger/entries.ts'
import { log } from '../../log.ts'
import { verifyPassword } from '../accounts/passwords.ts'
import type { App } from '../app.ts'
import { type AuditEvent, recordAudit } from '../audit-record.ts'
import type { Caller, SessionCookie } from '../call.ts'
import { isTwoFactorOn } from '../sign-in/two-factor.ts'
import { requireFreshSession } from '../sign-in/verify.ts'
import { forgetAttempts, limitAttempts } from '../throttle.ts'
import { openKey } from './key.ts'

const TRIES = { most: 10, windowSeconds: 15 * 60 }

interface Asking {
  readonly caller: Caller
  readonly address: string
  readonly session: SessionCookie
  readonly password: string
}

/** The one way a key leaves the server: for whoever proves again to be who they are, and never unnoticed. */
export async function revealKey(
  app: App,
  id: number,
  { caller, address, session, password }: Asking,
): Promise<string> {
  // A password alone must not get past a second factor.
  if (await isTwoFactorOn(app, caller.id)) await requireFreshSession(app, { caller, session })
  else await confirmPassword(app, caller, password)
  const { store } = app
  const row = await store.db
    .selectFrom('channels')
    .select(['id', 'name', 'key_sealed'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new AppError('row.not-found')
  const key = openKey(store, row)
  log.warn('the key of a channel was shown', { channel: id, user: caller.id, address })
  await store.transaction(async transaction => {
    const content = `查看了渠道「${row.name}」（#${id}）的密钥`
    await writeLog(transaction, app.now(), caller.id, { type: logTypes.admin, content }, 0)
    const event: AuditEvent = { action: 'channel.reveal-key', subject: `channel:${id}` }
    await recordAudit(app, { caller, address }, event, transaction)
  })
  return key
}

async function confirmPassword(app: App, caller: Caller, password: string): Promise<void> {
  const attempts = `reveal:${caller.id}`
  await limitAttempts(app, attempts, TRIES, 'channel.reveal-too-many')
  const user = await app.store.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', caller.id)
    .executeTakeFirst()
  if (!(await verifyPassword(password, user?.password_hash))) throw new AppError('channel.reveal-denied')
  await forgetAttempts(app, attempts)
}
