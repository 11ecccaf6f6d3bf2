import { type Kysely, type Selectable, sql } from 'kysely'
import type { ChannelFields } from '../../../contract/channel-fields.ts'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { channelStatuses } from '../../../contract/channels.ts'
import { AppError } from '../../errors.ts'
import type { Engine } from '../../store/engine.ts'
import type { Channels, Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { type AuditEvent, recordAudit } from '../audit-record.ts'
import { replaceAbilities } from './abilities.ts'
import {
  type Editor,
  refuseKeptHeaders,
  refuseNewAddress,
  refuseNewWay,
  withPasswords,
} from './guard-address.ts'
import { checkKeyForm, hashKey, refuseFront, sealAgain, sealKey } from './key.ts'
import {
  checkAddress,
  checkOther,
  otherOrDefault,
  readFields,
  refuseVainAddress,
  type Written,
} from './read-fields.ts'
import { hideSecrets } from './setting-secrets.ts'
import { viewChannel } from './view.ts'

type Changes = ChannelFields & { readonly id: number; readonly status?: number | undefined }

const LONGEST_KEY = 1_000_000

/** Changes what is given; what it serves follows in the same transaction. */
export async function updateChannel(app: App, doer: Editor, changes: Changes): Promise<ChannelView> {
  const fields = readFields(changes)
  const status = readStatus(changes.status)
  const key = readKey(changes.key)
  const { store } = app
  const row = await store.change('channels', async transaction => {
    const before = await lockChannel(transaction, store.engine, changes.id)
    const written = withPasswords(fields, before)
    if (key !== undefined) {
      refuseFront(written.type ?? before.type, key)
      checkKeyForm(written.type ?? before.type, key)
    }
    const set = {
      ...withOther(before, written),
      ...(key === undefined
        ? {}
        : { key_hash: hashKey(store, key), key_sealed: sealKey(store, before.id, key) }),
      ...(status === undefined ? {} : { status }),
      // The reason belongs to a disabling that is over.
      ...(status === channelStatuses.enabled ? { other_info: '' } : {}),
    }
    const after = { ...before, ...set }
    checkAddress(after)
    if (after.base_url !== before.base_url || after.type !== before.type) refuseVainAddress(after)
    if (key === undefined) refuseNewAddress(doer, before, after)
    refuseNewWay(doer, before, after, fields.base_url)
    refuseKeptHeaders(doer, before, after, fields.setting)
    const seal = status === channelStatuses.enabled ? { key_sealed: sealAgain(store, after) } : {}
    const columns = { ...set, ...seal }
    if (Object.keys(columns).length > 0)
      await transaction.updateTable('channels').set(columns).where('id', '=', before.id).execute()
    if (servesOtherwise(before, after)) await replaceAbilities(transaction, [after])
    const changed = whatChanged(before, after)
    const event: AuditEvent = { action: 'channel.update', subject: `channel:${before.id}`, ...changed }
    if (Object.keys(changed.after).length > 0) await recordAudit(app, doer, event, transaction)
    return after
  })
  const { key_hash: _hash, key_sealed: _sealed, ...view } = row
  return viewChannel(view)
}

/** The row, locked until the transaction ends where the engine locks rows. */
async function lockChannel(
  transaction: Kysely<Schema>,
  engine: Engine,
  id: number,
): Promise<Selectable<Channels>> {
  if (engine !== 'sqlite') await sql`select id from channels where id = ${id} for update`.execute(transaction)
  const row = await transaction.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('row.not-found')
  return row
}

/** A type that needs the field `other` gets its default along with the type. */
function withOther(before: Written, written: Partial<Written>): Partial<Written> {
  if (written.type === undefined && written.other === undefined) return written
  const type = written.type ?? before.type
  const other = otherOrDefault(type, written.other ?? before.other)
  checkOther({ type, other })
  return { ...written, other }
}

/** 3 is for the server to set; a form that was filled with it means no change. */
function readStatus(status: number | undefined): number | undefined {
  if (status === undefined || status === 0 || status === channelStatuses.disabledByItself) return undefined
  if (status !== channelStatuses.enabled && status !== channelStatuses.disabledByHand)
    throw new AppError('channel.status')
  return status
}

function readKey(key: string | number | undefined): string | undefined {
  const text = String(key ?? '').trim()
  if (text.length > LONGEST_KEY) throw new AppError('channel.too-long', { field: 'key', limit: LONGEST_KEY })
  return text || undefined
}

function servesOtherwise(before: Row, after: Row): boolean {
  const decisive = ['status', 'group', 'models', 'priority', 'weight', 'tag'] as const
  return decisive.some(column => before[column] !== after[column])
}

type Row = Selectable<Channels>

/** Of the key its hash, which is shown to nobody: sealed, it is another text each time. */
function whatChanged(before: Row, after: Row): { before: Partial<Row>; after: Partial<Row> } {
  const names = Object.keys(after).filter(
    name => name !== 'key_sealed' && before[name as keyof Row] !== after[name as keyof Row],
  )
  const shown = (row: Row) => ({ ...row, setting: row.setting && hideSecrets(row.setting) })
  const only = (row: Row) =>
    Object.fromEntries(Object.entries(shown(row)).filter(([name]) => names.includes(name)))
  return { before: only(before), after: only(after) }
}
