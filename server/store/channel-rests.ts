import type { Kysely } from 'kysely'
import type { Engine } from './engine.ts'
import type { Schema } from './schema.ts'
import { putRow } from './upsert.ts'

export type RestReason = 'rate' | 'server' | 'timeout' | 'connect' | 'empty' | 'auth'

/** That a channel is left alone for a while. */
export interface ChannelRest {
  readonly channel: number
  /** Of the row as it was: a channel that was changed since begins anew. */
  readonly mark: string
  /** Blank for all of them: no key can be used. */
  readonly model: string
  /** Seconds since 1970. */
  readonly until: number
  readonly reason: RestReason
  /** What the upstream answered with, if it did. */
  readonly status?: number | undefined
  /** Only where it is keys that rest: the channel does while all of them do. */
  readonly keys?: KeysAtRest | undefined
}

interface KeysAtRest {
  readonly all: number
  /** How many rest until when. */
  readonly ends: readonly (readonly [until: number, count: number])[]
}

const PREFIX = 'rests:'
/** The next character after the colon: everything in between begins with the prefix. */
const BEHIND = 'rests;'

interface Place {
  readonly db: Kysely<Schema>
  readonly engine: Engine
}

/** Every process tells of its own; the database is what all of them share, on one machine or on many. */
export async function putRests(place: Place, process: string, rests: readonly ChannelRest[]): Promise<void> {
  const value = JSON.stringify(rests)
  await putRow(place.db, place.engine, 'system', { key: PREFIX + process }, { value })
}

export async function dropRests({ db }: Pick<Place, 'db'>, process: string): Promise<void> {
  await db
    .deleteFrom('system')
    .where('key', '=', PREFIX + process)
    .execute()
}

/** What rests now, in any process. */
export async function readRests({ db }: Pick<Place, 'db'>, now: number): Promise<ChannelRest[]> {
  const rows = await db
    .selectFrom('system')
    .select('value')
    .where('key', '>=', PREFIX)
    .where('key', '<', BEHIND)
    .execute()
  return rows.flatMap(({ value }) => readAll(value)).filter(({ until }) => until > now)
}

/** What a process that was killed may have left behind after it was taken for dead. */
export async function sweepRests({ db }: Pick<Place, 'db'>, now: number): Promise<void> {
  const rows = await db
    .selectFrom('system')
    .selectAll()
    .where('key', '>=', PREFIX)
    .where('key', '<', BEHIND)
    .execute()
  for (const { key, value } of rows)
    if (readAll(value).every(({ until }) => until <= now))
      await db.deleteFrom('system').where('key', '=', key).where('value', '=', value).execute()
}

function readAll(value: string): readonly ChannelRest[] {
  return JSON.parse(value) as readonly ChannelRest[]
}
