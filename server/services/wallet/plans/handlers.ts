import type { planEndpoints } from '../../../../contract/plans.ts'
import { AppError } from '../../../errors.ts'
import { outranks } from '../../accounts/lock-user.ts'
import type { App } from '../../app.ts'
import type { Handlers } from '../../call.ts'
import { asList, countRows, readPage } from '../../paging.ts'
import { readId } from '../../row-id.ts'
import { payPlanByEpay, payPlanByStripe, planPrices, refusals } from './order-plan.ts'
import { createPlan, deletePlan, updatePlan, viewPlan } from './plan-changes.ts'
import { bindPlan, buyPlan, endSubscription } from './sell-plan.ts'
import { subscriptionsOfUser } from './subscription-view.ts'

export function planHandlers(app: App): Handlers<keyof typeof planEndpoints> {
  const { db } = app.store
  const inOrder = () => db.selectFrom('plans').selectAll().orderBy('position').orderBy('id')

  return {
    async offeredPlans({ caller, language }) {
      const rows = await inOrder().where('on_sale', '=', 1).execute()
      const pricesOf = planPrices(app, caller)
      const refusalOf = await refusals(app, caller)
      return rows.map(row => ({
        ...viewPlan(row),
        ...pricesOf(row),
        refusal: refusalOf(row)?.text(language) ?? null,
      }))
    },
    ownSubscriptions: ({ caller }) => subscriptionsOfUser(app, caller.id),
    buyPlan: call => buyPlan(app, call),
    payPlanByEpay: call => payPlanByEpay(app, call),
    payPlanByStripe: call => payPlanByStripe(app, call),
    async listPlans({ query }) {
      const page = readPage(query)
      const rows = await inOrder().limit(page.limit).offset(page.offset).execute()
      return asList(page, rows.map(viewPlan), () => countRows(db.selectFrom('plans')))
    },
    async getPlan({ params }) {
      const row = await inOrder().where('id', '=', readId(params)).executeTakeFirst()
      if (!row) throw new AppError('row.not-found')
      return viewPlan(row)
    },
    createPlan: call => createPlan(app, call),
    updatePlan: call => updatePlan(app, call),
    deletePlan: call => deletePlan(app, call),
    bindPlan: call => bindPlan(app, call),
    async userSubscriptions({ caller, params }) {
      const userId = readId(params)
      const user = await db.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirst()
      if (!user) throw new AppError('row.not-found')
      if (!outranks(caller, user)) throw new AppError('users.view-rank')
      return subscriptionsOfUser(app, userId)
    },
    endSubscription: call => endSubscription(app, call),
  }
}
