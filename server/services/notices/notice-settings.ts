import type { BodyOf, OutputOf } from '../../../contract/endpoint.ts'
import type { Endpoints } from '../../../contract/index.ts'
import type { noticeEndpoints } from '../../../contract/notices.ts'
import { AppError } from '../../errors.ts'
import { putRow } from '../../store/upsert.ts'
import { checkEmailRules, readEmail } from '../accounts/email-address.ts'
import { allowMail } from '../accounts/email-codes.ts'
import { lockUser } from '../accounts/lock-user.ts'
import type { App } from '../app.ts'
import { type AuditEvent, recordAudit } from '../audit-record.ts'
import type { CallOf, Handlers } from '../call.ts'
import { testLetter } from '../mail/letters.ts'
import { sendMail } from '../mail/send-mail.ts'
import { staysMember } from '../teams/act-for-team.ts'
import { limitAttempts } from '../throttle.ts'
import { deliver } from './deliver.ts'
import { testNews } from './test-news.ts'
import { barkPlaces, messageTo, type Way } from './ways.ts'
import { readWish, storedWish, type Wish } from './wishes.ts'

const tests = { most: 10, windowSeconds: 600 }
const DEFAULT_PRIORITY = 5

export function noticeHandlers(app: App): Handlers<keyof typeof noticeEndpoints> {
  return {
    noticeSetting: async ({ caller }) => viewWish(await readWish(app, caller.id)),
    saveNoticeSetting: call => saveWish(app, call),
    testNotice: call => sendTest(app, call),
  }
}

/** What was given in secret is never given back. */
function viewWish({ kind, threshold, email, way }: Wish): OutputOf<Endpoints['noticeSetting']> {
  const to = way?.to
  const addressOf = (asked: Way['kind']): string => (to?.kind === asked ? to.url : '')
  return {
    notify_type: kind,
    quota_warning_threshold: threshold,
    notification_email: email,
    webhook_url: addressOf('webhook'),
    webhook_secret_set: to?.kind === 'webhook' && to.secret !== '',
    bark_url: addressOf('bark'),
    gotify_url: addressOf('gotify'),
    gotify_token_set: to?.kind === 'gotify',
    gotify_priority: to?.kind === 'gotify' ? to.priority : DEFAULT_PRIORITY,
  }
}

async function saveWish(app: App, call: CallOf<Endpoints['saveNoticeSetting']>): Promise<void> {
  const { body, caller, language } = call
  const { notify_type: kind, quota_warning_threshold: threshold } = body
  const before = await readWish(app, caller.id)
  const to = readWay(body, before.way?.to)
  if (to) await app.outbound.check(to.url.replace(barkPlaces, 'x'), 'user')
  const email = kind === 'email' ? readOtherEmail(app, body.notification_email) : ''
  const wish: Wish = { kind, threshold, email, way: to && { to, language } }
  const { store } = app
  const stored = { ...storedWish(app, caller.id, wish), set_by: caller.acting?.person.id ?? 0 }
  await store.transaction(async transaction => {
    // Whoever is deleted meanwhile leaves none behind.
    if (!(await lockUser(app, transaction, caller.id))) throw new AppError('row.not-found')
    await staysMember(store, transaction, caller)
    await putRow(transaction, store.engine, 'user_notices', { user_id: caller.id }, stored)
    const event: AuditEvent = {
      action: 'account.update',
      subject: `user:${caller.id}`,
      before: recorded(before),
      after: recorded(wish),
    }
    await recordAudit(app, call, event, transaction)
  })
}

/** Others read the record: of an address it has the host. */
function recorded({ kind, threshold, email, way }: Wish): Record<string, unknown> {
  const host = way ? URL.parse(way.to.url)?.host : undefined
  const where = host ?? email
  return { notify_type: kind, quota_warning_threshold: threshold, ...(where ? { notify_to: where } : {}) }
}

function readOtherEmail(app: App, typed: string): string {
  if (typed === '') return ''
  const email = readEmail(typed)
  checkEmailRules(app, email)
  return email
}

function readWay(body: BodyOf<Endpoints['saveNoticeSetting']>, before: Way | undefined): Way | undefined {
  const kind = body.notify_type
  if (kind === 'email') return undefined
  const url = readAddress(body[`${kind}_url`])
  if (kind === 'bark') {
    if (url.search(barkPlaces) < 0) throw new AppError('notice.bark-template')
    return { kind, url }
  }
  // A secret is for who got it: a new address has to be given it again.
  const same = before?.kind === kind && before.url === url ? before : undefined
  if (kind === 'webhook')
    return { kind, url, secret: body.webhook_secret || (same?.kind === kind ? same.secret : '') }
  const token = body.gotify_token || (same?.kind === kind ? same.token : '')
  if (token === '') throw new AppError('notice.gotify-token')
  if (!/^[\x21-\x7e]+$/.test(token)) throw new AppError('outbound.header')
  return { kind, url, token, priority: body.gotify_priority }
}

/** Secrets travel in it: never in the clear. */
function readAddress(typed: string): string {
  const url = URL.parse(typed)
  if (!url) throw new AppError('outbound.bad-url')
  if (url.protocol !== 'https:') throw new AppError('notice.https')
  return typed
}

/** By the settings as they are saved. Whoever set them is told why they do not work. */
async function sendTest(app: App, call: CallOf<Endpoints['testNotice']>): Promise<void> {
  const { caller, language } = call
  await limitAttempts(app, `notice-test:${caller.id}`, tests, 'request.too-many')
  const { way, email } = await readWish(app, caller.id)
  if (way) {
    const notice = { ...testNews(app, language), timestamp: app.now() }
    return deliver(app.outbound, 'user', messageTo(way.to, notice))
  }
  const to = email || (await ownEmail(app, caller.id))
  if (!to) throw new AppError('notice.no-email')
  await allowMail(app, to)
  try {
    await sendMail(app.settings, { to, ...testLetter(app.settings.get('SystemName'), language) })
  } catch (error) {
    throw new AppError('mail.failed', {}, error)
  }
}

async function ownEmail({ store }: App, id: number): Promise<string | null | undefined> {
  const row = await store.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirst()
  return row?.email
}
