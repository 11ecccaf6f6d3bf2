import type { Endpoints } from '../../../contract/index.ts'
import { AppError } from '../../errors.ts'
import { limitsOf, memberOf, setLimits } from '../../ledger/spending/set-limits.ts'
import type { App } from '../app.ts'
import { recordAudit } from '../audit-record.ts'
import type { CallOf } from '../call.ts'
import { readId } from '../row-id.ts'
import { lockToManage, roleIn } from './load-team.ts'

/** What somebody may spend of a team's money with all tokens that they made for it, within a while. */
export async function limitMember(app: App, call: CallOf<Endpoints['limitTeamMember']>): Promise<void> {
  const id = readId(call.params)
  const member = readId({ id: call.params.member ?? '' })
  const { limits } = call.body
  await app.store.change('tokens', async transaction => {
    await lockToManage(app, transaction, call.caller, id)
    if ((await roleIn(transaction, id, member)) === undefined) throw new AppError('row.not-found')
    const of = memberOf(id, member)
    const former = await limitsOf(transaction, of)
    await setLimits(transaction, of, limits, app.now())
    const event = {
      action: 'team.limit-member',
      subject: `team:${id}`,
      before: { limits: former.map(({ period, amount }) => ({ period, amount })) },
      // On one side only: what is the same on both is not told.
      after: { limits, user_id: member },
    } as const
    await recordAudit(app, call, event, transaction)
  })
}
