import { randomBytes } from 'node:crypto'
import type { AuditAction } from '../../../contract/audit-actions.ts'
import type { Endpoints } from '../../../contract/index.ts'
import { AppError } from '../../errors.ts'
import { lockUser } from '../accounts/lock-user.ts'
import type { App } from '../app.ts'
import { recordAudit } from '../audit-record.ts'
import type { CallOf, Handlers } from '../call.ts'
import { refuseClash } from '../refuse-clash.ts'
import { readId } from '../row-id.ts'
import { refuseRankAbove } from './refuse-rank-above.ts'
import { finishSecondStep } from './second-step.ts'
import { base32, findStep, otpauthUrl } from './totp.ts'
import {
  findFactor,
  isTwoFactorOn,
  openSecret,
  plainCode,
  removeTwoFactor,
  replaceBackupCodes,
  sealSecret,
  spendCode,
} from './two-factor.ts'
import { requireRecentProof } from './verify.ts'

const SECRET_BYTES = 20

type Names =
  | 'secondStep'
  | 'twoFactorStatus'
  | 'twoFactorSetup'
  | 'twoFactorEnable'
  | 'twoFactorDisable'
  | 'twoFactorBackupCodes'
  | 'twoFactorReset'

export function twoFactorHandlers(app: App): Handlers<Names> {
  const { store } = app
  return {
    secondStep: call => finishSecondStep(app, call),
    async twoFactorStatus({ caller }) {
      const enabled = await isTwoFactorOn(app, caller.id)
      return { enabled, backup_codes_remaining: enabled ? await countBackupCodes(app, caller.id) : 0 }
    },
    twoFactorSetup: call => prepare(app, call),
    twoFactorEnable: call => confirm(app, call),
    async twoFactorDisable(call) {
      const { caller, body } = call
      if (!(await isTwoFactorOn(app, caller.id))) throw new AppError('two-factor.off')
      await spendCode(app, caller.id, body.code)
      await store.transaction(async transaction => {
        await removeTwoFactor(transaction, caller.id)
        await recordAudit(app, call, changed('two-factor.disable', caller.id), transaction)
      })
    },
    async twoFactorBackupCodes(call) {
      const { caller, body } = call
      if (!(await isTwoFactorOn(app, caller.id))) throw new AppError('two-factor.off')
      await spendCode(app, caller.id, body.code)
      return store.transaction(async transaction => {
        const backup_codes = await replaceBackupCodes(app, transaction, caller.id)
        await recordAudit(app, call, changed('two-factor.backup-codes', caller.id), transaction)
        return { backup_codes }
      })
    },
    async twoFactorReset(call) {
      const id = readId(call.params)
      await refuseRankAbove(app, call.caller, id)
      await store.transaction(async transaction => {
        if (!(await removeTwoFactor(transaction, id))) throw new AppError('two-factor.off')
        await recordAudit(app, call, changed('two-factor.reset', id), transaction)
      })
    },
  }
}

/**
 * A fresh secret and codes, in the place of any that were never confirmed. To confirm them takes no proof of its
 * own: only who was shown the secret has a code.
 */
async function prepare(app: App, call: CallOf<Endpoints['twoFactorSetup']>) {
  const { caller } = call
  await requireRecentProof(app, call)
  if (await isTwoFactorOn(app, caller.id)) throw new AppError('two-factor.on')
  const secret = randomBytes(SECRET_BYTES)
  const row = { user_id: caller.id, secret_sealed: sealSecret(app, caller.id, secret), created_at: app.now() }
  return refuseClash(
    app.store.transaction(async transaction => {
      // Whoever is deleted meanwhile leaves none behind.
      if (!(await lockUser(app, transaction, caller.id))) throw new AppError('row.not-found')
      await transaction
        .deleteFrom('two_factors')
        .where('user_id', '=', caller.id)
        .where('confirmed_at', '=', 0)
        .execute()
      await transaction
        .insertInto('two_factors')
        .values({ ...row, confirmed_at: 0, last_step: 0 })
        .execute()
      return {
        secret: base32(secret),
        qr_code_data: otpauthUrl(app.settings.get('SystemName'), caller.username, secret),
        backup_codes: await replaceBackupCodes(app, transaction, caller.id),
      }
    }),
    'two-factor.on',
  )
}

async function confirm(app: App, call: CallOf<Endpoints['twoFactorEnable']>): Promise<void> {
  const { caller, body } = call
  const factor = await findFactor(app, caller.id)
  if (!factor) throw new AppError('two-factor.not-prepared')
  if (factor.confirmed_at > 0) throw new AppError('two-factor.on')
  const step = findStep(openSecret(app, factor), plainCode(body.code), app.now())
  if (step === undefined) throw new AppError('two-factor.bad-code')
  await app.store.transaction(async transaction => {
    const { numUpdatedRows } = await transaction
      .updateTable('two_factors')
      .set({ confirmed_at: app.now(), last_step: step })
      .where('user_id', '=', caller.id)
      .where('secret_sealed', '=', factor.secret_sealed)
      .where('confirmed_at', '=', 0)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('two-factor.bad-code')
    await recordAudit(app, call, changed('two-factor.enable', caller.id), transaction)
  })
}

async function countBackupCodes({ store }: App, userId: number): Promise<number> {
  const codes = await store.db
    .selectFrom('backup_codes')
    .select('code_hash')
    .where('user_id', '=', userId)
    .execute()
  return codes.length
}

function changed(action: AuditAction, userId: number) {
  return { action, subject: `user:${userId}` }
}
