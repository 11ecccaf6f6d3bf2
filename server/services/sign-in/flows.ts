import { UniqueViolation } from '../../store/store-error.ts'
import type { App } from '../app.ts'

export type FlowKind =
  | 'third-party'
  | 'telegram'
  | 'second-step'
  | 'passkey-login'
  | 'passkey-register'
  | 'passkey-verify'

/** What was handed out: only its hash is kept, so the database alone lets nobody finish a sign-in. */
interface Ticket {
  readonly kind: FlowKind
  readonly key: string
}

interface Flow {
  readonly userId: number
  readonly data: string
}

/** Begins something that can be finished once, within so many seconds; false when the key is known already. */
export async function openFlow(
  app: App,
  ticket: Ticket,
  { userId = 0, data = '', seconds }: Partial<Flow> & { seconds: number },
): Promise<boolean> {
  const row = { id_hash: idHash(app, ticket), kind: ticket.kind, user_id: userId, data, tries: 0 }
  try {
    await app.store.db
      .insertInto('sign_in_flows')
      .values({ ...row, expires_at: app.now() + seconds })
      .execute()
    return true
  } catch (error) {
    if (error instanceof UniqueViolation) return false
    throw error
  }
}

/** Looks at a flow without ending it. */
export async function findFlow(app: App, ticket: Ticket): Promise<Flow | undefined> {
  const row = await app.store.db
    .selectFrom('sign_in_flows')
    .select(['user_id', 'data'])
    .where('id_hash', '=', idHash(app, ticket))
    .where('expires_at', '>', app.now())
    .executeTakeFirst()
  return row && { userId: row.user_id, data: row.data }
}

/** Counts a try at a flow; false when there have been too many or it is over. */
export async function countTry(app: App, ticket: Ticket, most: number): Promise<boolean> {
  const { numUpdatedRows } = await app.store.db
    .updateTable('sign_in_flows')
    .set(flow => ({ tries: flow('tries', '+', 1) }))
    .where('id_hash', '=', idHash(app, ticket))
    .where('tries', '<', most)
    .where('expires_at', '>', app.now())
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Ends a flow and returns it: of several at once, one gets it. */
export async function takeFlow(app: App, ticket: Ticket): Promise<Flow | undefined> {
  const flow = await findFlow(app, ticket)
  const { numDeletedRows } = await app.store.db
    .deleteFrom('sign_in_flows')
    .where('id_hash', '=', idHash(app, ticket))
    .executeTakeFirst()
  return numDeletedRows === 1n ? flow : undefined
}

export async function sweepFlows({ store, now }: Pick<App, 'store' | 'now'>): Promise<void> {
  await store.db.deleteFrom('sign_in_flows').where('expires_at', '<=', now()).execute()
}

function idHash({ store }: App, { kind, key }: Ticket): string {
  return store.cipher.hash(`flow:${kind}`, key)
}
