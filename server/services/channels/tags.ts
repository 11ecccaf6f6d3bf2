import type { Transaction } from 'kysely'
import { channelStatuses } from '../../../contract/channels.ts'
import { AppError } from '../../errors.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { type AuditEvent, type Doer, recordAudit } from '../audit-record.ts'
import { abilitySource, chunksOf, replaceAbilities } from './abilities.ts'
import { lockChannels } from './lock-channels.ts'
import { readObject, readPriority, readText, readWeight } from './read-fields.ts'
import { readNames } from './read-names.ts'

interface TagEdit {
  readonly tag: string
  readonly new_tag?: string | undefined
  readonly models?: string | string[] | undefined
  readonly groups?: string | string[] | undefined
  readonly model_mapping?: string | undefined
  readonly priority?: number | string | undefined
  readonly weight?: number | string | undefined
}

/** Gives channels a tag, or takes theirs off. How many there were. */
export function tagChannels(
  app: App,
  doer: Doer,
  ids: readonly number[],
  tag: string | undefined,
): Promise<number> {
  if (ids.length === 0) throw new AppError('channel.arguments')
  const name = readText({ tag }, 'tag')
  if (name === '') throw new AppError('channel.tag-blank')
  const wanted = [...new Set(ids)]
  return app.store.change('channels', async transaction => {
    const found = await lockChannels(app, transaction, channel => channel('id', 'in', wanted))
    const set = { tag: name ?? null }
    await transaction.updateTable('channels').set(set).where('id', 'in', wanted).execute()
    await transaction.updateTable('abilities').set(set).where('channel_id', 'in', wanted).execute()
    const after = { ...set, ids: wanted, count: found.length }
    if (found.length > 0)
      await recordAudit(app, doer, { action: 'channel.tag', subject: 'channels', after }, transaction)
    return found.length
  })
}

/** Overwrites what is given in every channel of a tag. */
export async function editTag(app: App, doer: Doer, edit: TagEdit): Promise<void> {
  const routing = {
    ...(edit.new_tag === undefined ? {} : { tag: readText({ tag: edit.new_tag }, 'tag') || null }),
    ...given('priority', readPriority(edit.priority)),
    ...given('weight', readWeight(edit.weight)),
  }
  const served = {
    ...given('models', readNames('models', edit.models)),
    ...given('group', readNames('groups', edit.groups)),
  }
  const mapping = readObject(edit, 'model_mapping', 'channel.model-mapping') || undefined
  const set = { ...routing, ...served, ...given('model_mapping', mapping) }
  await changeTag(app, edit.tag, async (transaction, ids) => {
    if (Object.keys(set).length === 0) throw new AppError('channel.tag-unchanged')
    for (const some of chunksOf(ids)) {
      await transaction.updateTable('channels').set(set).where('id', 'in', some).execute()
      if (Object.keys(served).length > 0) await rebuild(transaction, some)
      else if (Object.keys(routing).length > 0)
        await transaction.updateTable('abilities').set(routing).where('channel_id', 'in', some).execute()
    }
    const event: AuditEvent = { action: 'channel.edit-tag', subject: `tag:${edit.tag}`, after: set }
    await recordAudit(app, doer, event, transaction)
  })
}

/** Enables or disables channels. How many there were. */
export function switchChannels(
  app: App,
  doer: Doer,
  ids: readonly number[],
  enable: boolean,
): Promise<number> {
  if (ids.length === 0) throw new AppError('channel.arguments')
  const wanted = [...new Set(ids)]
  return app.store.change('channels', async transaction => {
    const found = await lockChannels(app, transaction, channel => channel('id', 'in', wanted))
    const after = { status: await setStatus(transaction, found, enable), ids: found, count: found.length }
    if (found.length > 0)
      await recordAudit(app, doer, { action: 'channel.switch', subject: 'channels', after }, transaction)
    return found.length
  })
}

/** Enables or disables every channel of a tag. */
export async function switchTag(app: App, doer: Doer, tag: string, enable: boolean): Promise<void> {
  await changeTag(app, tag, async (transaction, ids) => {
    const status = await setStatus(transaction, ids, enable)
    const event: AuditEvent = { action: 'channel.switch-tag', subject: `tag:${tag}`, after: { status } }
    await recordAudit(app, doer, event, transaction)
  })
}

async function setStatus(
  transaction: Transaction<Schema>,
  ids: readonly number[],
  enable: boolean,
): Promise<number> {
  const status = enable ? channelStatuses.enabled : channelStatuses.disabledByHand
  for (const some of chunksOf(ids)) {
    await transaction
      .updateTable('channels')
      .set(enable ? { status, other_info: '' } : { status })
      .where('id', 'in', some)
      .execute()
    await transaction
      .updateTable('abilities')
      .set({ enabled: enable ? 1 : 0 })
      .where('channel_id', 'in', some)
      .execute()
  }
  return status
}

async function changeTag(
  app: App,
  tag: string,
  change: (transaction: Transaction<Schema>, ids: readonly number[]) => Promise<void>,
): Promise<void> {
  const name = tag.trim()
  if (name === '') throw new AppError('channel.tag-missing')
  await app.store.change('channels', async transaction => {
    const ids = await lockChannels(app, transaction, channel => channel('tag', '=', name))
    if (ids.length === 0) throw new AppError('row.not-found')
    await change(transaction, ids)
  })
}

async function rebuild(transaction: Transaction<Schema>, ids: readonly number[]): Promise<void> {
  const rows = await transaction
    .selectFrom('channels')
    .select(abilitySource)
    .where('id', 'in', [...ids])
    .execute()
  await replaceAbilities(transaction, rows)
}

/** The field when it has a value: an undefined one would be written. */
function given<Name extends string, Value>(name: Name, value: Value | undefined): { [K in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [K in Name]?: Value }
}
