import type { Endpoints } from '../../../contract/index.ts'
import type { OwnSpendLimits, SpendLimitView, spendLimitEndpoints } from '../../../contract/spend-limits.ts'
import { AppError } from '../../errors.ts'
import { limitsOf, memberOf, setLimits, viewLimit } from '../../ledger/spending/set-limits.ts'
import type { App } from '../app.ts'
import { recordAudit } from '../audit-record.ts'
import type { CallOf, Handlers } from '../call.ts'
import { readId } from '../row-id.ts'
import { lockUser, outranks } from './lock-user.ts'

export function spendLimitHandlers(app: App): Handlers<keyof typeof spendLimitEndpoints> {
  return {
    ownSpendLimits: call => ownSpendLimits(app, call),
    userSpendLimits: call => userSpendLimits(app, call),
    limitUser: call => limitUser(app, call),
  }
}

async function ownSpendLimits(
  app: App,
  { caller }: CallOf<Endpoints['ownSpendLimits']>,
): Promise<OwnSpendLimits> {
  const { db } = app.store
  const view = (limit: SpendLimitView) => viewLimit(limit, app.now())
  const ofAccount = async (subject: 'account' | 'plan') =>
    (await limitsOf(db, { userId: caller.id, subject, memberId: 0 })).map(view)
  const member = caller.acting ? await limitsOf(db, memberOf(caller.id, caller.acting.person.id)) : []
  return { account: await ofAccount('account'), plan: await ofAccount('plan'), member: member.map(view) }
}

async function userSpendLimits(
  app: App,
  { caller, params }: CallOf<Endpoints['userSpendLimits']>,
): Promise<SpendLimitView[]> {
  const id = readId(params)
  const { db } = app.store
  const user = await db
    .selectFrom('users')
    .select('role')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!user) throw new AppError('row.not-found')
  if (!outranks(caller, user)) throw new AppError('users.view-rank')
  const limits = await limitsOf(db, { userId: id, subject: 'account', memberId: 0 })
  return limits.map(limit => viewLimit(limit, app.now()))
}

async function limitUser(app: App, call: CallOf<Endpoints['limitUser']>): Promise<void> {
  const id = readId(call.params)
  const { limits } = call.body
  await app.store.change('users', async transaction => {
    const user = await lockUser(app, transaction, id)
    if (!user) throw new AppError('row.not-found')
    if (!outranks(call.caller, user)) throw new AppError('users.edit-rank')
    const of = { userId: id, subject: 'account', memberId: 0 } as const
    const former = await limitsOf(transaction, of)
    await setLimits(transaction, of, limits, app.now())
    const event = {
      action: 'user.limit',
      subject: `user:${id}`,
      before: { limits: former.map(({ period, amount }) => ({ period, amount })) },
      after: { limits },
    } as const
    await recordAudit(app, call, event, transaction)
  })
}
