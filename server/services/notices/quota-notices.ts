import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Language } from '../../../contract/language.ts'
import { userStatuses } from '../../../contract/users.ts'
import { holdStates } from '../../ledger/moves.ts'
import { log } from '../../log.ts'
import { allowMail } from '../accounts/email-codes.ts'
import type { App } from '../app.ts'
import { workThrough } from '../background-work.ts'
import { escapeHtml } from '../escape-html.ts'
import { canMail, type Mail, sendMail } from '../mail/send-mail.ts'
import { deliverPatiently, reasonOf } from './deliver.ts'
import type { Notice } from './formats.ts'
import { messageTo } from './ways.ts'
import { openWay } from './wishes.ts'

export const REMIND_EVERY = 2 * 3600
/** What could not be handed over is tried again after this. */
const RETRY_AFTER = 600
const MOST_AT_ONCE = 100
/** Of users' own addresses: one that never answers holds up few others. */
const HOOKS_AT_ONCE = 16

type Parts = Pick<App, 'store' | 'settings' | 'outbound' | 'now'>

interface Low {
  readonly id: number
  readonly username: string
  readonly email: string | null
  /** Instead of the account's own, and not proven to be its owner's. */
  readonly other_email: string | null
  /** Where else it is told; null for by mail. */
  readonly way_sealed: string | null
  readonly left: number
  readonly used_quota: number
}

/** Tells users that little is left of their quota: those who have used some since the last time. */
export async function remindLowQuota(
  app: Parts,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const low = await findLow(app)
  const byMail = low.filter(({ way_sealed }) => way_sealed === null)
  const byHook = low.filter(({ way_sealed }) => way_sealed !== null)
  const progress = { total: 0, done: 0, failed: 0, signal }
  await Promise.all([
    workThrough(progress, byMail, 1, user => remind(app, user, sendLetter)),
    workThrough(progress, byHook, HOOKS_AT_ONCE, user => remind(app, user, tellHook)),
  ])
}

async function remind(
  app: Parts,
  user: Low,
  send: (app: Parts, user: Low) => Promise<void>,
): Promise<boolean> {
  if (!(await claim(app, user))) return true
  try {
    await send(app, user)
    return true
  } catch (error) {
    const why = user.way_sealed === null ? { error } : { reason: reasonOf(error) }
    log.warn('a quota reminder could not be sent', { userId: user.id, ...why })
    await remember(app, user.id, { quota_reminded_at: app.now() - REMIND_EVERY + RETRY_AFTER })
    return false
  }
}

async function sendLetter(app: Parts, user: Low): Promise<void> {
  const to = user.other_email ?? user.email
  if (to === null) return
  if (user.other_email !== null) await allowMail(app, to)
  await sendMail(app.settings, writeLetter(app, user, to))
}

async function tellHook(app: Parts, user: Low): Promise<void> {
  if (user.way_sealed === null) return
  const { to, language } = openWay(app, user.id, user.way_sealed)
  await deliverPatiently(app.outbound, 'user', messageTo(to, writeNotice(app, user, language)))
}

/**
 * What requests hold at this moment still counts as left: most of it comes back. Who has waited longest comes
 * first, so that those whose address never works keep nobody else from being told.
 */
async function findLow({ store, settings, now }: Parts): Promise<Low[]> {
  const held = sql<number>`(select coalesce(sum(amount), 0) from holds
    where holds.user_id = users.id and holds.state = ${holdStates.open})`
  const usual = settings.get('QuotaRemindThreshold')
  const threshold = sql<number>`case when wish.threshold > 0 then wish.threshold else ${sql.lit(usual)} end`
  const mails = canMail(settings)
  const rows = await store.db
    .selectFrom('users')
    .leftJoin('user_notices as wish', 'wish.user_id', 'users.id')
    .leftJoin('users as setter', 'setter.id', 'wish.set_by')
    .select(['users.id', 'users.username', 'users.email', 'users.quota', 'users.used_quota'])
    .select(['wish.email as other_email', 'wish.way_sealed', held.as('held')])
    .where('users.quota', '<', threshold)
    // Here and not of those that were found: who is never told stays first.
    .where(sql<number>`users.quota + ${held}`, '<', threshold)
    .where(user => {
      const elsewhere = user('wish.way_sealed', 'is not', null)
      if (!mails) return elsewhere
      return user.or([elsewhere, user('users.email', 'is not', null), user('wish.email', 'is not', null)])
    })
    .where('users.status', '=', userStatuses.active)
    .where('users.deleted_at', 'is', null)
    // Of a team nobody is told who is banned.
    .where(row => row.or([row('setter.id', 'is', null), row('setter.status', '=', userStatuses.active)]))
    .where(wasNotJustReminded(now()))
    .whereRef('users.used_quota', '>', 'users.quota_reminded_used')
    .orderBy('users.quota_reminded_at')
    .orderBy('users.id')
    .limit(MOST_AT_ONCE)
    .execute()
  return rows.map(({ quota, held, ...row }) => ({ ...row, left: quota + Number(held) }))
}

/** A time to come is of a clock that was ahead: nobody has to wait for it. */
function wasNotJustReminded(now: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(users.quota_reminded_at <= ${now - REMIND_EVERY} or users.quota_reminded_at > ${now + REMIND_EVERY})`
}

/** The condition decides which of the processes that look at the same time tells the user. */
async function claim({ store, now }: Parts, { id, used_quota }: Low): Promise<boolean> {
  const { numUpdatedRows } = await store.db
    .updateTable('users')
    .set({ quota_reminded_at: now(), quota_reminded_used: used_quota })
    .where('id', '=', id)
    .where(wasNotJustReminded(now()))
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

interface Words extends Record<Language, string> {
  readonly state: Record<Language, string>
  readonly amount: string
  /** Where to top up; blank where nobody has said. */
  readonly link: string
}

function wordsFor({ settings }: Parts, { username, left }: Low): Words {
  const { ServerAddress, TopUpLink, DisplayInCurrencyEnabled, QuotaPerUnit } = settings.all
  const amount = DisplayInCurrencyEnabled ? `$${(left / QuotaPerUnit).toFixed(6)}` : String(left)
  const state =
    left > 0
      ? { zh: '您的额度即将用尽', en: 'your quota is running low' }
      : { zh: '您的额度已用尽', en: 'your quota is used up' }
  return {
    zh: `${username}，${state.zh}，当前剩余额度为 ${amount}，为了不影响您的使用，请及时充值。`,
    en: `${username}, ${state.en}: ${amount} is left. Please top up in time.`,
    state,
    amount,
    link: ServerAddress ? `${ServerAddress}/topup` : TopUpLink,
  }
}

function writeNotice(app: Parts, user: Low, language: Language): Notice {
  const words = wordsFor(app, user)
  const state = words.state[language]
  return {
    type: 'quota_exceed',
    title: `${state.charAt(0).toUpperCase()}${state.slice(1)} · ${app.settings.get('SystemName')}`,
    content: words.link ? `${words[language]}\n${words.link}` : words[language],
    values: [words.amount, words.link],
    timestamp: app.now(),
  }
}

function writeLetter(app: Parts, user: Low, to: string): Mail {
  const { zh, en, state, link } = wordsFor(app, user)
  const where = link ? `\n\n充值链接 / Top up: ${link}` : ''
  const href = escapeHtml(link)
  return {
    to,
    subject: `${state.zh} · ${app.settings.get('SystemName')}`,
    text: `${zh}\n\n${en}${where}\n`,
    html: `<p>${escapeHtml(zh)}</p><p>${escapeHtml(en)}</p>${link && `<p><a href="${href}">${href}</a></p>`}`,
  }
}
