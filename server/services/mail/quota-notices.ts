import { sql } from 'kysely'
import { userStatuses } from '../../../contract/users.ts'
import { holdStates } from '../../ledger/moves.ts'
import { log } from '../../log.ts'
import type { App } from '../app.ts'
import { canMail, escapeHtml, type Mail, sendMail } from './send-mail.ts'

export const REMIND_EVERY = 2 * 3600
/** A mail that could not be handed over is tried again after this. */
const RETRY_AFTER = 600
const MOST_AT_ONCE = 100

type Parts = Pick<App, 'store' | 'settings' | 'now'>

interface Low {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly left: number
  readonly used_quota: number
}

/** Tells users by mail that little is left of their quota: those who have used some since the last time. */
export async function remindLowQuota(app: Parts): Promise<void> {
  if (!canMail(app.settings)) return
  for (const user of await findLow(app)) {
    if (!(await claim(app, user))) continue
    try {
      await sendMail(app.settings, writeReminder(app, user))
    } catch (error) {
      log.warn('a quota reminder could not be sent', { userId: user.id, error })
      await remember(app, user.id, { quota_reminded_at: app.now() - REMIND_EVERY + RETRY_AFTER })
    }
  }
}

/** What requests hold at this moment still counts as left: most of it comes back. */
async function findLow({ store, settings, now }: Parts): Promise<Low[]> {
  const held = sql<number>`(select coalesce(sum(amount), 0) from holds
    where holds.user_id = users.id and holds.state = ${holdStates.open})`
  const threshold = settings.get('QuotaRemindThreshold')
  const rows = await store.db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'quota', 'used_quota'])
    .select(held.as('held'))
    .where('quota', '<', threshold)
    .where('email', 'is not', null)
    .where('status', '=', userStatuses.active)
    .where('deleted_at', 'is', null)
    .where('quota_reminded_at', '<=', now() - REMIND_EVERY)
    .whereRef('used_quota', '>', 'quota_reminded_used')
    .orderBy('id')
    .limit(MOST_AT_ONCE)
    .execute()
  return rows.flatMap(({ email, quota, held, ...row }) => {
    const left = quota + Number(held)
    return email && left < threshold ? { ...row, email, left } : []
  })
}

/** The condition decides which of the processes that look at the same time sends the mail. */
async function claim({ store, now }: Parts, { id, used_quota }: Low): Promise<boolean> {
  const { numUpdatedRows } = await store.db
    .updateTable('users')
    .set({ quota_reminded_at: now(), quota_reminded_used: used_quota })
    .where('id', '=', id)
    .where('quota_reminded_at', '<=', now() - REMIND_EVERY)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function remember({ store }: Parts, id: number, times: { quota_reminded_at: number }): Promise<void> {
  await store.db
    .updateTable('users')
    .set({ ...times, quota_reminded_used: 0 })
    .where('id', '=', id)
    .execute()
}

function writeReminder({ settings }: Parts, { username, email, left }: Low): Mail {
  const { SystemName, ServerAddress, TopUpLink, DisplayInCurrencyEnabled, QuotaPerUnit } = settings.all
  const amount = DisplayInCurrencyEnabled ? `$${(left / QuotaPerUnit).toFixed(6)}` : String(left)
  const link = ServerAddress ? `${ServerAddress}/topup` : TopUpLink
  const state = left > 0 ? '您的额度即将用尽' : '您的额度已用尽'
  const zh = `${username}，${state}，当前剩余额度为 ${amount}，为了不影响您的使用，请及时充值。`
  const en = `${username}, your quota ${left > 0 ? 'is running low' : 'is used up'}: ${amount} is left. Please top up in time.`
  const where = link ? `\n\n充值链接 / Top up: ${link}` : ''
  const href = escapeHtml(link)
  return {
    to: email,
    subject: `${state} · ${SystemName}`,
    text: `${zh}\n\n${en}${where}\n`,
    html: `<p>${escapeHtml(zh)}</p><p>${escapeHtml(en)}</p>${link && `<p><a href="${href}">${href}</a></p>`}`,
  }
}
