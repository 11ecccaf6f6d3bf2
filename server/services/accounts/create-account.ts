import type { Transaction } from 'kysely'
import { logTypes } from '../../../contract/log-types.ts'
import { post } from '../../ledger/entries.ts'
import { rewardInviter } from '../../ledger/wallet-moves.ts'
import type { Schema, Users } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { newUser } from '../setup.ts'
import { quotaText } from '../wallet/quota-text.ts'
import { takeName } from './taken-name.ts'

export interface NewAccount {
  readonly username: string
  /** Blank for someone who logs in by other means. */
  readonly passwordHash: string
  readonly displayName?: string | undefined
  /** What the account is bound to from the start: a verified address or a third party's id. */
  readonly bound?: Partial<
    Pick<
      Users,
      'email' | 'github_id' | 'wechat_id' | 'telegram_id' | 'linux_do_id' | 'oidc_id' | 'discord_id'
    >
  >
  /** An unknown invite code is no reason to turn anyone away. */
  readonly affCode?: string | undefined
}

/**
 * Makes an ordinary user with the gifts that are in force, inside a transaction of the caller's, and returns
 * its id. A name or binding that exists, deleted accounts included, is a UniqueViolation.
 */
export async function createAccount(
  app: App,
  transaction: Transaction<Schema>,
  { username, passwordHash, displayName, bound, affCode }: NewAccount,
): Promise<number> {
  const now = app.now()
  await takeName(app.store, transaction, username)
  const inviterId = await findInviter(transaction, affCode)
  await transaction
    .insertInto('users')
    .values({
      ...newUser(username, passwordHash, now),
      display_name: displayName || username,
      ...bound,
      inviter_id: inviterId,
    })
    .execute()
  const { id } = await transaction
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  const welcome = app.settings.get('QuotaForNewUser')
  await gift(app, transaction, id, { reason: 'new', amount: welcome, text: '新用户注册赠送' })
  if (inviterId === 0) return id
  const forInvitee = app.settings.get('QuotaForInvitee')
  await gift(app, transaction, id, { reason: 'invitee', amount: forInvitee, text: '使用邀请码赠送' })
  const reward = app.settings.get('QuotaForInviter')
  if (reward > 0)
    await rewardInviter(
      transaction,
      now,
      { inviterId, inviteeId: id, reward },
      { type: logTypes.system, content: `邀请用户赠送 ${quotaText(app, reward)}` },
    )
  return id
}

async function gift(
  app: App,
  transaction: Transaction<Schema>,
  userId: number,
  { reason, amount, text }: { readonly reason: string; readonly amount: number; readonly text: string },
): Promise<void> {
  if (amount === 0) return
  const entry = { kind: 'gift', ref: `${reason}:${userId}`, userId } as const
  const content = `${text} ${quotaText(app, amount)}`
  await post(transaction, app.now(), entry, amount, { type: logTypes.system, content })
}

/** 0 for nobody. */
async function findInviter(transaction: Transaction<Schema>, code: string | undefined): Promise<number> {
  if (!code || code.length > 32) return 0
  const inviter = await transaction
    .selectFrom('users')
    .select('id')
    .where('aff_code', '=', code)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return inviter?.id ?? 0
}
