import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { ChannelFields } from '../../../contract/channel-fields.ts'
import { channelTypeOf } from '../../../contract/channel-types.ts'
import { channelStatuses } from '../../../contract/channels.ts'
import { AppError } from '../../errors.ts'
import type { Store } from '../../store/index.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { type Doer, recordAudit } from '../audit-record.ts'
import { addAbilities, chunksOf } from './abilities.ts'
import { type Editor, refuseNewAddress, withPasswords } from './guard-address.ts'
import { checkKeyForm, hashKey, openKey, refuseFront, sealKey } from './key.ts'
import {
  checkAddress,
  checkOther,
  otherOrDefault,
  readFields,
  refuseVainAddress,
  type Written,
} from './read-fields.ts'

type Asked = ChannelFields & {
  readonly mode?: 'single' | 'batch' | 'multi_to_single' | undefined
  readonly channel?: ChannelFields | undefined
}

const MOST_KEYS = 5000
const LONGEST_KEY = 20_000
/** Rows written by one statement: each has more than twenty values. */
const ROWS_AT_ONCE = 500

/** One channel for each key. */
export async function createChannels(app: App, doer: Editor, asked: Asked): Promise<number[]> {
  const fields = asked.channel ?? asked
  const written = newChannel(fields)
  refuseVainAddress(written)
  const text = String(fields.key ?? '').trim()
  if (text === '') throw new AppError('channel.incomplete')
  const copied = await copiedFrom(app, doer, text, written)
  if (copied) return insertChannels(app, doer, copied.written, [copied.key])
  refuseFront(written.type, text)
  checkKeyForm(written.type, text)
  return insertChannels(
    app,
    doer,
    withPasswords(written, undefined),
    splitKeys(text, written.type, asked.mode),
  )
}

/** A copy with the same key, which nobody gets to see. */
export async function copyChannel(app: App, doer: Doer, id: number, suffix: string): Promise<number> {
  const row = await app.store.db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('row.not-found')
  const { type, base_url, other, openai_organization, test_model, models, group } = row
  const { model_mapping, status_code_mapping, setting, tag, priority, weight, auto_ban } = row
  const { rpm, tpm, concurrency } = row
  const written: Written = {
    ...{ type, base_url, other, openai_organization, test_model, models, group },
    ...{ model_mapping, status_code_mapping, setting, tag, priority, weight, auto_ban },
    ...{ rpm, tpm, concurrency },
    name: `${row.name.slice(0, 255 - suffix.length)}${suffix}`,
  }
  const key = openKey(app.store, row)
  const [copy] = await insertChannels(app, doer, written, [key])
  if (copy === undefined) throw new AppError('row.not-found')
  return copy
}

/** A channel as it is entered, checked, with what is usual where nothing was. */
export function newChannel(fields: ChannelFields): Written {
  const { type, name, models, group = 'default', ...given } = readFields(fields)
  if (type === undefined) throw new AppError('channel.type', { type: String(fields.type ?? '').slice(0, 20) })
  if (name === undefined) throw new AppError('channel.incomplete')
  if (models === undefined) throw new AppError('channel.no-models')
  const other = otherOrDefault(type, given.other ?? '')
  checkOther({ type, other })
  checkAddress({ type, base_url: given.base_url ?? null })
  return {
    base_url: null,
    openai_organization: null,
    test_model: null,
    model_mapping: null,
    status_code_mapping: null,
    setting: null,
    tag: null,
    priority: 0,
    weight: 0,
    auto_ban: 1,
    rpm: 0,
    tpm: 0,
    concurrency: 0,
    ...given,
    ...{ type, name, models, group, other },
  }
}

/**
 * The family's console copies a channel by posting its row, where the key is hidden and its place taken by the
 * id. That is what it is when a channel of this id, type and name is there.
 */
async function copiedFrom(
  { store }: App,
  doer: Editor,
  text: string,
  given: Written,
): Promise<{ readonly written: Written; readonly key: string } | undefined> {
  if (!/^\d{1,15}$/.test(text)) return undefined
  const row = await store.db
    .selectFrom('channels')
    .select(['id', 'name', 'type', 'base_url', 'setting', 'key_sealed'])
    .where('id', '=', Number(text))
    .executeTakeFirst()
  if (row?.type !== given.type || !given.name.startsWith(row.name)) return undefined
  const written = withPasswords(given, row)
  refuseNewAddress(doer, row, written)
  return { written, key: openKey(store, row) }
}

function splitKeys(text: string, type: number, mode: Asked['mode']): string[] {
  const whole = channelTypeOf(type)?.wholeKey || mode === 'multi_to_single'
  const keys = whole ? [text] : [...new Set(text.split('\n').flatMap(line => line.trim() || []))]
  if (keys.length > MOST_KEYS) throw new AppError('channel.too-many', { field: 'key', limit: MOST_KEYS })
  // Many keys in one channel are as long as they are many.
  if (mode !== 'multi_to_single' && keys.some(key => key.length > LONGEST_KEY))
    throw new AppError('channel.too-long', { field: 'key', limit: LONGEST_KEY })
  return keys
}

function insertChannels(app: App, doer: Doer, written: Written, keys: readonly string[]): Promise<number[]> {
  return app.store.change('channels', async transaction => {
    const ids = await writeChannels(app, transaction, written, keys)
    const { name, type, base_url, models, group } = written
    const after = { name, type, base_url, models, group, count: ids.length }
    await recordAudit(
      app,
      doer,
      { action: 'channel.create', subject: `channel:${ids[0]}`, after },
      transaction,
    )
    return ids
  })
}

/** A key is sealed for its row's id, so rows come first and their keys into them, in the same transaction. */
export async function writeChannels(
  { store, now }: { readonly store: Pick<Store, 'cipher'>; now(): number },
  transaction: Kysely<Schema>,
  written: Written,
  keys: readonly string[],
): Promise<number[]> {
  const ids: number[] = []
  const mark = `new:${randomUUID()}`
  const created = { ...written, ...blank, key_sealed: mark, created_time: now() }
  for (const some of chunksOf(keys, ROWS_AT_ONCE)) {
    const byHash = new Map(some.map(key => [hashKey(store, key), key]))
    const hashes = [...byHash.keys()]
    const rows = hashes.map(key_hash => ({ ...created, key_hash }))
    await transaction.insertInto('channels').values(rows).execute()
    const inserted = await transaction
      .selectFrom('channels')
      .select(['id', 'key_hash'])
      .where('key_hash', 'in', hashes)
      .where('key_sealed', '=', mark)
      .orderBy('id')
      .execute()
    await sealKeys(
      store,
      transaction,
      inserted.map(({ id, key_hash }) => ({ id, key: byHash.get(key_hash) ?? '' })),
    )
    for (const { id } of inserted) ids.push(id)
  }
  const status = channelStatuses.enabled
  await addAbilities(
    transaction,
    ids.map(id => ({ ...written, id, status })),
  )
  return ids
}

const blank = {
  status: channelStatuses.enabled,
  other_info: '',
  response_time: 0,
  test_time: 0,
  balance: 0,
  balance_updated_time: 0,
  used_quota: 0,
}

async function sealKeys(
  store: Pick<Store, 'cipher'>,
  transaction: Kysely<Schema>,
  rows: readonly { readonly id: number; readonly key: string }[],
): Promise<void> {
  const cases = rows.map(({ id, key }) => sql`when ${id} then ${sealKey(store, id, key)}`)
  const ids = rows.map(({ id }) => id)
  await sql`
    update channels set key_sealed = case id ${sql.join(cases, sql` `)} end
    where id in (${sql.join(ids)})`.execute(transaction)
}
