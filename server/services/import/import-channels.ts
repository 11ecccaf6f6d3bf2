import type { Insertable } from 'kysely'
import type { ChannelFields } from '../../../contract/channel-fields.ts'
import { channelTypeOf } from '../../../contract/channel-types.ts'
import { channelStatuses } from '../../../contract/channels.ts'
import { AppError } from '../../errors.ts'
import type { ForeignRow } from '../../store/foreign-database.ts'
import type { Channels } from '../../store/schema.ts'
import { addAbilities } from '../channels/abilities.ts'
import { newChannel } from '../channels/create.ts'
import { checkKeyForm, hashKey, sealKey } from '../channels/key.ts'
import { readSetting } from './channel-setting.ts'
import type { Family } from './family.ts'
import type { ImportRun } from './import-run.ts'
import { translateNewApiChannel } from './new-api-channel.ts'
import { translateOneApiChannel } from './one-api-channel.ts'
import { inPortions } from './portions.ts'
import { idOf, integerOf, textOf } from './read-row.ts'

type Channel = Insertable<Channels> & { readonly id: number }

const MICRO = 1_000_000
const ADVANCED_CUSTOM = 58

export async function importChannels(
  run: ImportRun,
  family: Family,
  rows: readonly ForeignRow[],
): Promise<void> {
  const { transaction, report } = run
  const came = rows.flatMap(row => readChannel(run, family, row) ?? [])
  if (came.length === 0) return
  for (const some of inPortions(came)) await transaction.insertInto('channels').values(some).execute()
  // One by one: the bound on what a save may bring is for those who work here, and there may be hundreds with much.
  for (const channel of came) await addAbilities(transaction, [{ ...channel, tag: channel.tag ?? null }])
  report.add('channels', came.length)
}

/** By the rules for a channel that is entered by hand; what does not keep them would not work. */
function readChannel(
  { store, report, now }: ImportRun,
  family: Family,
  row: ForeignRow,
): Channel | undefined {
  const id = idOf(row)
  const name = textOf(row, 'name') || `#${id}`
  const leftOut = (why: string): undefined => {
    report.note(`channel ${id} (${name}): left out: ${why}`)
  }
  const translated = family === 'one-api' ? translateOneApiChannel(row) : translateNewApiChannel(row)
  if (!translated || !channelTypeOf(translated.type))
    return leftOut(
      family === 'new-api' && translated?.type === ADVANCED_CUSTOM
        ? 'it is a list of routes; enter each address that it has as a channel of type Custom'
        : `nothing here speaks to upstreams of type ${String(row.type)}`,
    )
  const { type, other, baseUrl } = translated
  const key = translated.key ?? textOf(row, 'key')
  if (id <= 0 || key === '') return leftOut('it has no key')
  try {
    checkKeyForm(type, key)
    const { setting, without } = readSetting(row)
    const written = newChannel({
      ...fieldsOf(row),
      setting,
      type,
      name,
      other: other ?? textOf(row, 'other'),
      base_url: baseUrl ?? textOf(row, 'base_url'),
    })
    for (const what of without) report.note(`channel ${id} (${name}): off, because it comes without ${what}`)
    return {
      ...written,
      id,
      status: without.length > 0 ? channelStatuses.disabledByHand : statusOf(row),
      key_hash: hashKey(store, key),
      key_sealed: sealKey(store, id, key),
      other_info: '',
      response_time: Math.max(0, integerOf(row, 'response_time')),
      test_time: Math.max(0, integerOf(row, 'test_time')),
      balance: balanceOf(row),
      balance_updated_time: Math.max(0, integerOf(row, 'balance_updated_time')),
      used_quota: Math.max(0, integerOf(row, 'used_quota')),
      created_time: integerOf(row, 'created_time') || now,
    }
  } catch (error) {
    if (error instanceof AppError) return leftOut(error.message)
    throw error
  }
}

/** What the vendor's account was told to have, in millionths of a dollar. */
function balanceOf({ balance }: ForeignRow): number {
  const micros = Math.round(Number(balance) * MICRO)
  return Number.isSafeInteger(micros) && micros > 0 ? micros : 0
}

function fieldsOf(row: ForeignRow): ChannelFields {
  return {
    models: textOf(row, 'models'),
    group: textOf(row, 'group') || 'default',
    openai_organization: textOf(row, 'openai_organization'),
    test_model: textOf(row, 'test_model'),
    model_mapping: textOf(row, 'model_mapping'),
    status_code_mapping: textOf(row, 'status_code_mapping'),
    tag: textOf(row, 'tag'),
    priority: integerOf(row, 'priority'),
    weight: Math.max(0, integerOf(row, 'weight')),
    auto_ban: row.auto_ban === undefined || row.auto_ban === null ? 1 : integerOf(row, 'auto_ban'),
  }
}

function statusOf(row: ForeignRow): number {
  const status = integerOf(row, 'status')
  return Object.values<number>(channelStatuses).includes(status) ? status : channelStatuses.disabledByHand
}
