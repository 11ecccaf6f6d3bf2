import { AppError } from '../../../errors.ts'
import type { App } from '../../app.ts'
import { type AuditEvent, recordAudit } from '../../audit-record.ts'
import type { Handlers } from '../../call.ts'
import { readId } from '../../row-id.ts'
import { refuseRankAbove } from '../refuse-rank-above.ts'
import { loadActiveUser, startSession } from '../start-session.ts'
import { requireRecentProof, verifyAgain } from '../verify.ts'
import { assertPasskey, challengePasskey, credentialsOf } from './assert-passkey.ts'
import { beginPasskey, finishPasskey } from './register-passkey.ts'

type Names =
  | 'passkeys'
  | 'passkeyRegisterBegin'
  | 'passkeyRegisterFinish'
  | 'passkeyRename'
  | 'passkeyDelete'
  | 'passkeyLoginBegin'
  | 'passkeyLoginFinish'
  | 'passkeyVerifyBegin'
  | 'passkeyReset'
  | 'verify'

export function passkeyHandlers(app: App): Handlers<Names> {
  const { db } = app.store
  return {
    async passkeys({ caller }) {
      const passkeys = await credentialsOf(app, caller.id)
      const used = Math.max(0, ...passkeys.map(passkey => passkey.last_used_at))
      return { enabled: passkeys.length > 0, last_used_at: used || null, passkeys }
    },
    passkeyRegisterBegin: call => beginPasskey(app, call),
    passkeyRegisterFinish: call => finishPasskey(app, call),
    async passkeyRename({ caller, params, body }) {
      const id = readId(params)
      const mine = await credentialsOf(app, caller.id)
      if (!mine.some(passkey => passkey.id === id)) throw new AppError('row.not-found')
      await db
        .updateTable('passkeys')
        .set({ name: body.name })
        .where('id', '=', id)
        .where('user_id', '=', caller.id)
        .execute()
    },
    async passkeyDelete(call) {
      const { caller, params } = call
      const id = readId(params)
      await requireRecentProof(app, call)
      await app.store.transaction(async transaction => {
        const { numDeletedRows } = await transaction
          .deleteFrom('passkeys')
          .where('id', '=', id)
          .where('user_id', '=', caller.id)
          .executeTakeFirst()
        if (numDeletedRows === 0n) throw new AppError('row.not-found')
        const event: AuditEvent = { action: 'passkey.delete', subject: `user:${caller.id}`, before: { id } }
        await recordAudit(app, call, event, transaction)
      })
    },
    passkeyLoginBegin: () => challengePasskey(app, 'passkey-login'),
    async passkeyLoginFinish(call) {
      const userId = await assertPasskey(app, 'passkey-login', call.body)
      // The authenticator has asked for a finger or a PIN: that is two factors already.
      return startSession(app, await loadActiveUser(app, userId), call)
    },
    passkeyVerifyBegin: ({ caller }) => challengePasskey(app, 'passkey-verify', caller.id),
    async passkeyReset(call) {
      const id = readId(call.params)
      await refuseRankAbove(app, call.caller, id)
      await app.store.transaction(async transaction => {
        await transaction.deleteFrom('passkeys').where('user_id', '=', id).execute()
        await recordAudit(app, call, { action: 'passkey.reset', subject: `user:${id}` }, transaction)
      })
    },
    verify: call => verifyAgain(app, call),
  }
}
