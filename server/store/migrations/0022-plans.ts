import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Plans that are offered, what was sold of them, the periods of that, and orders that are for one. */
export async function plans(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, table, keyed, index, id, integer, flag, text, required, zero, blank } = columnsFor(engine, db)
  await table('plans', rows =>
    id(rows)
      .addColumn('title', text(100), required)
      .addColumn('note', text(500), blank)
      .addColumn('price', integer, required)
      .addColumn('duration', integer, required)
      .addColumn('duration_unit', text(10), required)
      .addColumn('quota', integer, required)
      .addColumn('period', text(10), required)
      .addColumn('group', text(64), blank)
      .addColumn('most_each', integer, zero)
      .addColumn('on_sale', flag, required)
      .addColumn('position', integer, zero)
      .addColumn('created_at', integer, required),
  )
  await table('subscriptions', rows =>
    id(rows)
      .addColumn('user_id', integer, required)
      .addColumn('plan_id', integer, required)
      .addColumn('title', text(100), required)
      .addColumn('duration', integer, required)
      .addColumn('duration_unit', text(10), required)
      .addColumn('quota', integer, required)
      .addColumn('period', text(10), required)
      .addColumn('group', text(64), blank)
      .addColumn('former_group', text(64), blank)
      .addColumn('times', integer, required)
      .addColumn('state', text(10), required)
      .addColumn('period_no', integer, required)
      .addColumn('starts_at', integer, required)
      .addColumn('ends_at', integer, required)
      .addColumn('ended_at', integer, zero)
      .addColumn('due_at', integer, zero)
      .addColumn('owed', integer, zero),
  )
  await index('subscriptions_user', 'subscriptions', ['user_id', 'id'])
  await index('subscriptions_plan', 'subscriptions', ['plan_id'])
  await index('subscriptions_due', 'subscriptions', ['due_at'])
  await keyed('subscription_periods', rows =>
    rows
      .addColumn('subscription_id', integer, required)
      .addColumn('no', integer, required)
      .addColumn('user_id', integer, required)
      .addColumn('began_at', integer, required)
      .addColumn('ended_at', integer, zero)
      .addColumn('quota', integer, required)
      .addColumn('used_before', integer, required)
      .addColumn('spent', integer, zero)
      .addColumn('returned', integer, zero)
      .addPrimaryKeyConstraint('subscription_periods_pk', ['subscription_id', 'no']),
  )
  await index('subscription_periods_user', 'subscription_periods', ['user_id', 'began_at'])
  await keyed('subscription_holds', rows =>
    rows
      .addColumn('hold_id', text(64), required)
      .addColumn('subscription_id', integer, required)
      .addColumn('waiting', flag, required)
      .addColumn('covered', integer, zero)
      .addPrimaryKeyConstraint('subscription_holds_pk', ['hold_id', 'subscription_id']),
  )
  await index('subscription_holds_of', 'subscription_holds', ['subscription_id', 'waiting'])
  await add('top_ups', 'plan', text(2000), column => column)
}
