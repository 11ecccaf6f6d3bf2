import { type Expression, expressionBuilder, type Kysely, type SqlBool, type Transaction } from 'kysely'
import { tokenStatuses } from '../../../contract/tokens.ts'
import type { Store } from '../../store/index.ts'
import type { Schema } from '../../store/schema.ts'
import type { Caller } from '../call.ts'
import { onlyMadeBy } from './act-for-team.ts'

/** Whose tokens of which team are meant. */
export interface Made {
  readonly teamId: number
  readonly by: number
}

/** What a caller may see of calls: undefined for all of the account's. */
export function madeBy(caller: Pick<Caller, 'id' | 'acting'>): Made | undefined {
  const by = onlyMadeBy(caller)
  return by === undefined ? undefined : { teamId: caller.id, by }
}

/** Of a log or of hourly sums: the rows of calls with such tokens, deleted ones too. */
export function isOfMade({ teamId, by }: Made): Expression<SqlBool> {
  const rows = expressionBuilder<Schema, 'logs'>()
  return rows(
    'token_id',
    'in',
    rows
      .selectFrom('tokens')
      .select('tokens.id')
      .where('tokens.user_id', '=', teamId)
      .where('created_by', '=', by),
  )
}

/** Tells sums of such calls from those of before somebody's tokens passed to somebody else. '' where all calls are meant. */
export async function markOfMade(db: Kysely<Schema>, made: Made | undefined): Promise<string> {
  if (!made) return ''
  const tokens = await db
    .selectFrom('tokens')
    .select(row => [row.fn.countAll().as('count'), row.fn.sum('id').as('ids')])
    .where('user_id', '=', made.teamId)
    .where('created_by', '=', made.by)
    .executeTakeFirst()
  return [made.by, tokens?.count, tokens?.ids].join('/')
}

export async function isTokenOf(db: Kysely<Schema>, { teamId, by }: Made, tokenId: number): Promise<boolean> {
  const token = await db
    .selectFrom('tokens')
    .select('id')
    .where('id', '=', tokenId)
    .where('user_id', '=', teamId)
    .where('created_by', '=', by)
    .executeTakeFirst()
  return token !== undefined
}

/** By this it is found; no key in the world has such a hash. */
export function playgroundHash({ cipher }: Pick<Store, 'cipher'>, { teamId, by }: Made): string {
  return cipher.hash('team-playground', `${teamId}:${by}`)
}

/**
 * What becomes of the tokens of somebody who is no member any more: they are disabled, or go on as somebody else's. The
 * one behind the playground is of use to nobody else.
 */
export async function letGoOfTokens(
  store: Pick<Store, 'cipher'>,
  transaction: Transaction<Schema>,
  made: Made,
  heir: number | undefined,
  now: number,
): Promise<void> {
  const theirs = () =>
    transaction
      .updateTable('tokens')
      .where('user_id', '=', made.teamId)
      .where('created_by', '=', made.by)
      .where('deleted_at', 'is', null)
  await theirs()
    .set({ deleted_at: now, refill_at: 0 })
    .where('key_hash', '=', playgroundHash(store, made))
    .execute()
  if (heir === undefined) await theirs().set({ status: tokenStatuses.disabled }).execute()
  else await theirs().set({ created_by: heir }).execute()
}
