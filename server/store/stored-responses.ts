import { type Kysely, sql } from 'kysely'
import type { Cipher } from './cipher.ts'
import type { Engine } from './engine.ts'
import type { Schema } from './schema.ts'

/** Which channel's upstream stores a response or an item of it, and whom it was made for. */
export interface Stored {
  readonly userId: number
  readonly channelId: number
  /** With which it was made; 0 where that was not noted yet. */
  readonly tokenId: number
  /** Of the channel's key that it was made with; '' where that was not noted yet. */
  readonly keyMark: string
}

/** OpenAI keeps a response for 30 days. */
const STORED_SECONDS = 30 * 86_400
/** The newest ones; with their indexes some 400 MB. */
const MOST_STORED = 2_000_000
/** Fewer parameters than any engine takes in a statement. */
const AT_ONCE = 200

interface Place {
  readonly db: Kysely<Schema>
  readonly engine: Engine
  readonly cipher: Cipher
}

/** By the names that are asked for later, of which only hashes are written. */
export async function putStored(
  place: Place,
  named: ReadonlyMap<string, Stored>,
  now: number,
): Promise<void> {
  const rows = Array.from(named, ([name, { userId, channelId, tokenId, keyMark }]) => ({
    name_hash: hashOf(place, name),
    user_id: userId,
    channel_id: channelId,
    created_at: now,
    token_id: tokenId,
    key_mark: keyMark,
  }))
  // In the same order everywhere: two that write the same rows would otherwise wait for each other.
  rows.sort((one, other) => (one.name_hash < other.name_hash ? -1 : 1))
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const insert = place.db.insertInto('kept_answers').values(rows.slice(at, at + AT_ONCE))
    if (place.engine === 'mysql')
      await insert.onDuplicateKeyUpdate(over(name => sql<never>`values(${name})`)).execute()
    else
      await insert
        .onConflict(clash =>
          clash.column('name_hash').doUpdateSet(over(name => sql<never>`excluded.${name}`)),
        )
        .execute()
  }
}

const written = ['user_id', 'channel_id', 'created_at', 'token_id', 'key_mark'] as const

function over<T>(given: (name: ReturnType<typeof sql.ref>) => T) {
  return Object.fromEntries(written.map(name => [name, given(sql.ref(name))])) as Record<
    (typeof written)[number],
    T
  >
}

/** Those that are known, by their names. */
export async function findStored(
  place: Place,
  names: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, Stored>> {
  const byHash = new Map(names.map(name => [hashOf(place, name), name]))
  const hashes = [...byHash.keys()]
  const found = new Map<string, Stored>()
  for (let at = 0; at < hashes.length; at += AT_ONCE) {
    const rows = await place.db
      .selectFrom('kept_answers')
      .select(['name_hash', 'user_id', 'channel_id', 'token_id', 'key_mark'])
      .where('name_hash', 'in', hashes.slice(at, at + AT_ONCE))
      .where('created_at', '>', now - STORED_SECONDS)
      .execute()
    for (const { name_hash, user_id, channel_id, token_id, key_mark } of rows)
      found.set(byHash.get(name_hash) ?? '', {
        ...{ userId: user_id, channelId: channel_id },
        ...{ tokenId: token_id, keyMark: key_mark },
      })
  }
  return found
}

/** What nobody can go on from any more, and the oldest where there are too many. */
export async function sweepStored({ db }: Pick<Place, 'db'>, now: number, most = MOST_STORED): Promise<void> {
  const oldest = await db
    .selectFrom('kept_answers')
    .select('created_at')
    .orderBy('created_at', 'desc')
    .offset(most)
    .limit(1)
    .executeTakeFirst()
  const upTo = Math.max(now - STORED_SECONDS, oldest?.created_at ?? 0)
  await db.deleteFrom('kept_answers').where('created_at', '<=', upTo).execute()
}

function hashOf({ cipher }: Place, name: string): string {
  return cipher.hash('kept', name).slice(0, 32)
}
