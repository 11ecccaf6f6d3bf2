import type { Insertable } from 'kysely'
import { tokenStatuses } from '../../../contract/tokens.ts'
import { AppError } from '../../errors.ts'
import { openBalances } from '../../ledger/opening.ts'
import type { ForeignRow } from '../../store/foreign-database.ts'
import { tokenHash } from '../../store/given-key.ts'
import type { Tokens } from '../../store/schema.ts'
import { tokenKeyPlace } from '../../store/sealed-places.ts'
import { checkAddresses, splitEntries } from '../tokens/token-fields.ts'
import { type ImportRun, isFirst } from './import-run.ts'
import { amountOf, clippedOf, deletedAt, flagOf, idOf, integerOf, textOf } from './read-row.ts'

type Token = Insertable<Tokens> & { readonly id: number }

const LONGEST_NAME = 100
const LONGEST_KEY = 255

export async function importTokens(run: ImportRun, rows: readonly ForeignRow[]): Promise<void> {
  const { transaction, report, now } = run
  const came = rows.flatMap(row => {
    const token = deletedAt(row) === null ? readToken(run, row) : undefined
    return token ? [{ token, budget: budgetOf(run, row, token) }] : []
  })
  if (came.length === 0) return
  await transaction
    .insertInto('tokens')
    .values(came.map(({ token }) => token))
    .execute()
  await openBalances(
    transaction,
    now,
    came.map(({ token, budget }) => ({ userId: token.user_id, tokenId: token.id, amount: budget })),
  )
  report.add('tokens', came.length)
}

function readToken(run: ImportRun, row: ForeignRow): Token | undefined {
  const { store, report, users, now } = run
  const id = idOf(row)
  const key = textOf(row, 'key')
  const user_id = integerOf(row, 'user_id')
  if (id <= 0 || key === '' || key.length > LONGEST_KEY || !users.has(user_id)) {
    report.note(`token ${id}: left out, for it has no key or no owner`)
    return undefined
  }
  if (!isFirst(run, 'token', key)) {
    report.note(`token ${id}: left out, for another has its key`)
    return undefined
  }
  const name = clippedOf(row, LONGEST_NAME, 'name')
  const models = splitEntries(textOf(row, 'model_limits', 'models'), ',').join(',')
  const networks = readNetworks(textOf(row, 'allow_ips', 'subnet'))
  if (networks === undefined)
    report.note(`token ${id} (${name}): disabled, for its list of addresses cannot be read`)
  return {
    id,
    user_id,
    name,
    key_hash: tokenHash(store, key),
    key_sealed: store.cipher.seal(tokenKeyPlace(id), key),
    status: networks === undefined ? tokenStatuses.disabled : statusOf(row),
    created_time: integerOf(row, 'created_time') || now,
    accessed_time: Math.max(0, integerOf(row, 'accessed_time')),
    expired_time: Math.max(-1, integerOf(row, 'expired_time')),
    remain_quota: 0,
    used_quota: Math.max(0, integerOf(row, 'used_quota')),
    unlimited_quota: Number(flagOf(row, 'unlimited_quota')),
    // The first of the older tools has no switch: a list that is there holds.
    model_limits_enabled: Number(
      row.model_limits_enabled === undefined ? models !== '' : flagOf(row, 'model_limits_enabled'),
    ),
    model_limits: models,
    allow_ips: networks ?? null,
    group: clippedOf(row, 64, 'group'),
    deleted_at: null,
  }
}

function statusOf(row: ForeignRow): number {
  const status = integerOf(row, 'status')
  return Object.values<number>(tokenStatuses).includes(status) ? status : tokenStatuses.disabled
}

/** Undefined when they cannot be told: a token must not be good for more places than it was. */
function readNetworks(text: string): string | null | undefined {
  try {
    return checkAddresses(text)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** One without a limit counts down all the same in the older tools, often below zero; that means nothing. */
function budgetOf({ report }: ImportRun, row: ForeignRow, token: Token): number {
  const budget = amountOf(row, 'remain_quota')
  if (budget === undefined && token.unlimited_quota === 0)
    report.note(`token ${token.id} (${token.name}): a budget of ${String(row.remain_quota)} becomes 0`)
  return budget ?? 0
}
