import type { Selectable, Transaction } from 'kysely'
import type { Abilities, Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { type AuditEvent, type Doer, recordAudit } from '../audit-record.ts'
import { type AbilitySource, abilitiesOf, abilitySource, replaceAbilities } from './abilities.ts'

const AT_ONCE = 200

/**
 * Makes what is stored of who serves which model agree with the channels. How many channels it did not agree
 * with, those that are gone included.
 */
export function fixAbilities(app: App, doer: Doer): Promise<number> {
  return app.store.change('channels', async transaction => {
    let mended = await dropVanished(transaction)
    for (let after = 0, size = AT_ONCE; size === AT_ONCE; ) {
      const channels = await transaction
        .selectFrom('channels')
        .select(abilitySource)
        .where('id', '>', after)
        .orderBy('id')
        .limit(AT_ONCE)
        .execute()
      mended += await mend(transaction, channels)
      size = channels.length
      after = channels.at(-1)?.id ?? after
    }
    const event: AuditEvent = { action: 'channel.fix', subject: 'channels', after: { count: mended } }
    if (mended > 0) await recordAudit(app, doer, event, transaction)
    return mended
  })
}

async function dropVanished(transaction: Transaction<Schema>): Promise<number> {
  const rows = await transaction
    .selectFrom('abilities')
    .leftJoin('channels', 'channels.id', 'abilities.channel_id')
    .select('abilities.channel_id')
    .distinct()
    .where('channels.id', 'is', null)
    .execute()
  for (const { channel_id } of rows)
    await transaction.deleteFrom('abilities').where('channel_id', '=', channel_id).execute()
  return rows.length
}

async function mend(transaction: Transaction<Schema>, channels: readonly AbilitySource[]): Promise<number> {
  if (channels.length === 0) return 0
  const stored = await transaction
    .selectFrom('abilities')
    .selectAll()
    .where(
      'channel_id',
      'in',
      channels.map(({ id }) => id),
    )
    .execute()
  const byChannel = Map.groupBy(stored, ({ channel_id }) => channel_id)
  const wrong = channels.filter(
    channel => signature(byChannel.get(channel.id) ?? []) !== signature(abilitiesOf(channel)),
  )
  await replaceAbilities(transaction, wrong)
  return wrong.length
}

/** The same rows in any order have the same one. */
function signature(rows: readonly Selectable<Abilities>[]): string {
  return rows
    .map(({ group, model, enabled, priority, weight, tag }) =>
      JSON.stringify([group, model, enabled, priority, weight, tag]),
    )
    .sort()
    .join('\n')
}
