import type { Selectable, Transaction } from 'kysely'
import type { Endpoints } from '../../../../contract/index.ts'
import type { PlanFields, PlanView } from '../../../../contract/plans.ts'
import { AppError } from '../../../errors.ts'
import { lockedOn } from '../../../store/lock-rows.ts'
import type { Plans } from '../../../store/plan-schema.ts'
import type { Schema } from '../../../store/schema.ts'
import type { App } from '../../app.ts'
import { type AuditEvent, recordAudit } from '../../audit-record.ts'
import type { CallOf } from '../../call.ts'
import { readId } from '../../row-id.ts'

export type Plan = Selectable<Plans>
type Times = Pick<PlanFields, 'duration' | 'duration_unit' | 'period'>

export function viewPlan(row: Plan): PlanView {
  return { ...row, on_sale: row.on_sale === 1 }
}

export async function createPlan(app: App, call: CallOf<Endpoints['createPlan']>): Promise<PlanView> {
  const { body } = call
  checkGroup(app, body.group)
  checkPeriod(body)
  const row = { ...body, on_sale: Number(body.on_sale), created_at: app.now() }
  return app.store.transaction(async transaction => {
    const id = await insertPlan(app, transaction, row)
    await recordAudit(app, call, { action: 'plan.create', subject: `plan:${id}`, after: body }, transaction)
    return viewPlan({ ...row, id })
  })
}

async function insertPlan(
  { store }: App,
  transaction: Transaction<Schema>,
  row: Omit<Plan, 'id'>,
): Promise<number> {
  const insert = transaction.insertInto('plans').values(row)
  if (store.engine === 'mysql') return Number((await insert.executeTakeFirstOrThrow()).insertId)
  return (await insert.returning('id').executeTakeFirstOrThrow()).id
}

/** What was sold has its own terms: they stay as they are. */
export function updatePlan(app: App, call: CallOf<Endpoints['updatePlan']>): Promise<PlanView> {
  const { on_sale, ...fields } = call.body
  const change = { ...fields, ...(on_sale !== undefined && { on_sale: Number(on_sale) }) }
  if (change.group !== undefined) checkGroup(app, change.group)
  return app.store.transaction(async transaction => {
    const plan = await lockPlan(app, transaction, readId(call.params))
    const names = (Object.keys(change) as (keyof PlanFields)[]).filter(
      name => change[name] !== undefined && change[name] !== plan[name],
    )
    if (names.length === 0) return viewPlan(plan)
    const pick = (from: Partial<Plan>) => Object.fromEntries(names.map(name => [name, from[name]]))
    const changed = viewPlan({ ...plan, ...pick(change) })
    if (timeFields.some(name => names.includes(name))) checkPeriod(changed)
    await transaction.updateTable('plans').set(pick(change)).where('id', '=', plan.id).execute()
    const event: AuditEvent = {
      action: 'plan.update',
      subject: `plan:${plan.id}`,
      before: pick(plan),
      after: pick(change),
    }
    await recordAudit(app, call, event, transaction)
    return changed
  })
}

export async function deletePlan(app: App, call: CallOf<Endpoints['deletePlan']>): Promise<void> {
  await app.store.transaction(async transaction => {
    const { id, title, price, quota } = await lockPlan(app, transaction, readId(call.params))
    const sold = await transaction
      .selectFrom('subscriptions')
      .select('id')
      .where('plan_id', '=', id)
      .limit(1)
      .executeTakeFirst()
    if (sold) throw new AppError('plan.sold')
    await transaction.deleteFrom('plans').where('id', '=', id).execute()
    const event: AuditEvent = {
      action: 'plan.delete',
      subject: `plan:${id}`,
      before: { title, price, quota },
    }
    await recordAudit(app, call, event, transaction)
  })
}

export function checkGroup({ settings }: Pick<App, 'settings'>, group: string): void {
  if (group !== '' && !Object.hasOwn(settings.get('GroupRatio'), group))
    throw new AppError('users.unknown-group', { group })
}

const timeFields: readonly (keyof Times)[] = ['duration', 'duration_unit', 'period']

/** Days, as few as they have. */
const shortest = { none: 0, day: 1, week: 7, month: 28 } as const

/** Within one period there is no other: who bought such a plan again would have no more quota for it. */
function checkPeriod({ duration, duration_unit, period }: Times): void {
  if (duration * shortest[duration_unit] < shortest[period]) throw new AppError('plan.period')
}

export function checkOnSale(app: Pick<App, 'settings'>, { on_sale, group }: Plan): void {
  if (on_sale !== 1) throw new AppError('plan.off-sale')
  checkGroup(app, group)
}

/** Locked, for what is read without shows MySQL's transaction everything as it was then. */
export async function lockPlan({ store }: App, transaction: Transaction<Schema>, id: number): Promise<Plan> {
  const row = await transaction
    .selectFrom('plans')
    .selectAll()
    .where('id', '=', id)
    .$call(lockedOn(store.engine))
    .executeTakeFirst()
  if (!row) throw new AppError('row.not-found')
  return row
}
