import { sql } from 'kysely'
import { AppError } from '../errors.ts'
import { type CountedClass, countCall, countCritical } from '../store/counters/rate-classes.ts'
import type { App } from './app.ts'

/** Counts a call of an address, or refuses it. Without Redis, sensitive calls are counted in the database. */
export function countCallOf(
  app: Pick<App, 'store' | 'now'>,
  name: CountedClass,
  address: string,
): Promise<void> | undefined {
  if (name !== 'critical') return countCall(app.store, name, address)
  return countCritical(app.store, address, {
    count: (key, seconds) => countAttempt(app, key, seconds),
    secondsLeft: (key, seconds) => secondsLeft(app, key, seconds),
  })
}

/** Counts an attempt; when there have been too many it is refused, with the time until there may be others. */
export async function limitAttempts(
  app: Pick<App, 'store' | 'now'>,
  key: string,
  { most, windowSeconds }: { readonly most: number; readonly windowSeconds: number },
  code: 'login.too-many' | 'request.too-many' | 'channel.reveal-too-many' = 'login.too-many',
): Promise<void> {
  if ((await countAttempt(app, key, windowSeconds)) <= most) return
  const retryAfter = await secondsLeft(app, key, windowSeconds)
  throw new AppError(code, { retryAfter, minutes: Math.ceil(retryAfter / 60) })
}

/** Clocks of nodes may differ so much; a window that begins later still is from before a clock was set back. */
const AHEAD_SECONDS = 60

/** Counts an attempt in a fixed window and says how many there have been; holds across workers and restarts. */
export async function countAttempt(
  { store, now }: Pick<App, 'store' | 'now'>,
  key: string,
  windowSeconds: number,
): Promise<number> {
  const at = now()
  const isOver = sql`throttles.window_start <= ${at - windowSeconds} or throttles.window_start > ${at + AHEAD_SECONDS}`
  const clash =
    store.engine === 'mysql'
      ? sql`on duplicate key update`
      : sql`on conflict (${sql.ref('key')}) do update set`
  // `count` stands first: MySQL assigns from left to right, and it must see the old window.
  const raise = sql`
    insert into throttles (${sql.ref('key')}, window_start, ${sql.ref('count')}) values (${key}, ${at}, 1) ${clash}
      ${sql.ref('count')} = case when ${isOver} then 1 else throttles.${sql.ref('count')} + 1 end,
      window_start = case when ${isOver} then ${at} else throttles.window_start end`
  // Each is told its own number: of two at once that read it later, neither would be the first.
  if (store.engine !== 'mysql') {
    const { rows } = await sql<{ count: number }>`${raise} returning ${sql.ref('count')}`.execute(store.db)
    return Number(rows[0]?.count)
  }
  return store.transaction(async transaction => {
    await raise.execute(transaction)
    const row = await transaction
      .selectFrom('throttles')
      .select('count')
      .where('key', '=', key)
      .executeTakeFirst()
    return row?.count ?? 1
  })
}

/** How long a window still lasts: at least a second. */
async function secondsLeft(
  { store, now }: Pick<App, 'store' | 'now'>,
  key: string,
  windowSeconds: number,
): Promise<number> {
  const row = await store.db
    .selectFrom('throttles')
    .select('window_start')
    .where('key', '=', key)
    .executeTakeFirst()
  const at = now()
  return Math.max(1, (row?.window_start ?? at) + windowSeconds - at)
}

export async function forgetAttempts({ store }: App, key: string): Promise<void> {
  await store.db.deleteFrom('throttles').where('key', '=', key).execute()
}

/** Windows that ended long ago. */
export async function sweepThrottles({ store, now }: Pick<App, 'store' | 'now'>): Promise<void> {
  await store.db
    .deleteFrom('throttles')
    .where('window_start', '<', now() - 86_400)
    .execute()
}
