import type { Kysely, Selectable } from 'kysely'
import { channelStatuses } from '../../../contract/channels.ts'
import { AppError } from '../../errors.ts'
import type { Abilities, Channels, Schema } from '../../store/schema.ts'
import { splitList } from '../../store/split-list.ts'

export const abilitySource = ['id', 'status', 'group', 'models', 'priority', 'weight', 'tag'] as const
export type AbilitySource = Pick<Selectable<Channels>, (typeof abilitySource)[number]>

/** Values that one statement may bind, on the engine that allows the fewest. */
const MOST_VALUES = 30_000
const COLUMNS = 7
/** More in one save would hold up everyone else who writes. */
const MOST_ABILITIES = 500_000

/** One row for each group and model of a channel. */
export function abilitiesOf(channel: AbilitySource): Selectable<Abilities>[] {
  const { id, status, priority, weight, tag } = channel
  const enabled = status === channelStatuses.enabled ? 1 : 0
  const models = [...new Set(splitList(channel.models))]
  return [...new Set(splitList(channel.group))].flatMap(group =>
    models.map(model => ({ group, model, channel_id: id, enabled, priority, weight, tag })),
  )
}

/** Writes anew what these channels serve; belongs into the transaction that changes them. */
export async function replaceAbilities(
  db: Kysely<Schema>,
  channels: readonly AbilitySource[],
): Promise<void> {
  await removeAbilities(
    db,
    channels.map(({ id }) => id),
  )
  await addAbilities(db, channels)
}

/** The same for channels that are new: on some engines to delete nothing locks what others are about to write. */
export async function addAbilities(db: Kysely<Schema>, channels: readonly AbilitySource[]): Promise<void> {
  let waiting: Selectable<Abilities>[] = []
  let total = 0
  for (const channel of channels) {
    waiting.push(...abilitiesOf(channel))
    while (waiting.length >= MOST_VALUES / COLUMNS) {
      total += waiting.length
      if (total > MOST_ABILITIES)
        throw new AppError('channel.too-many', { field: 'models × groups', limit: MOST_ABILITIES })
      waiting = await insertSome(db, waiting)
    }
  }
  if (waiting.length > 0) await db.insertInto('abilities').values(waiting).execute()
}

async function insertSome(
  db: Kysely<Schema>,
  rows: Selectable<Abilities>[],
): Promise<Selectable<Abilities>[]> {
  const most = Math.floor(MOST_VALUES / COLUMNS)
  await db.insertInto('abilities').values(rows.slice(0, most)).execute()
  return rows.slice(most)
}

export async function removeAbilities(db: Kysely<Schema>, ids: readonly number[]): Promise<void> {
  for (const some of chunksOf(ids)) await db.deleteFrom('abilities').where('channel_id', 'in', some).execute()
}

/** Ids in as few statements as every engine allows. */
export function chunksOf<T>(all: readonly T[], size = MOST_VALUES): T[][] {
  const chunks: T[][] = []
  for (let at = 0; at < all.length; at += size) chunks.push(all.slice(at, at + size))
  return chunks
}
