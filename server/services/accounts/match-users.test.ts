import { expect, setDefaultTimeout, test } from 'bun:test'
import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import { newSeed, type Random, seeded } from '../../../test/faults/random.ts'
import { sampleApps } from '../../../test/sample-apps.ts'
import { engines } from '../../../test/services/databases.ts'
import type { Pay } from '../../ledger/moves.ts'
import { decide } from '../../ledger/run-moves.ts'
import { compileWrites } from '../../store/batch/compile.ts'
import { contains } from '../../store/like.ts'
import { userSearch } from '../../store/migrations/0018-user-search.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { indexedPage } from '../search-page.ts'
import { newUser } from '../setup.ts'
import { type Matching, matchUsers, type UserSearch } from './match-users.ts'

setDefaultTimeout(600_000)
const { openApp } = sampleApps()

async function sqliteUrl(): Promise<string> {
  const url = await engines.find(({ name }) => name === 'sqlite')?.freshUrl()
  if (!url) throw new Error('there is no SQLite')
  return url
}

/** Few, so that much is found: long and short in bytes, with another case or none, and what SQL means something by. */
const letters = [...'aAbBkKsS019 %_!\\\'"*-éÉİıſK王伟😀']

function someText(random: Random, least: number, most: number): string {
  return Array.from({ length: random(least, most) }, () => letters[random(0, letters.length - 1)]).join('')
}

/** The number makes them nobody else’s. */
function someNames(random: Random, at: number) {
  return {
    username: `${someText(random, 0, 6)}.${at}`,
    email: random(0, 3) === 0 ? null : `${at}.${someText(random, 0, 6)}`,
    display_name: someText(random, 0, 8),
  }
}

/** A part of somebody’s names, written together, in the one case or the other; or what nobody may have. */
function someWord(random: Random, name: string): string {
  if (random(0, 2) === 0) return someText(random, 1, 3)
  const all = [...name]
  const from = random(0, all.length - 1)
  const part = all.slice(from, from + random(1, 5)).join('')
  return [part, part.toUpperCase(), part.toLowerCase()][random(0, 2)] || '王'
}

function someSearch(random: Random, name: string): UserSearch {
  return {
    keyword: someWord(random, name),
    group: ['', '', '', 'vip'][random(0, 3)] ?? '',
    role: ['', '', 'user', 'admin'][random(0, 3)] ?? '',
    status: ['', '', 'active', 'banned', 'deleted'][random(0, 4)] ?? '',
  }
}

/** With each column of each row looked at. */
function plainly({ keyword, group, role, status }: UserSearch): Matching {
  const users = expressionBuilder<Schema, 'users'>()
  const named: Expression<SqlBool>[] = ['username', 'email', 'display_name'].map(column =>
    contains(column, keyword, 'sqlite'),
  )
  if (/^\d+$/.test(keyword)) named.push(users('id', '=', Number(keyword)))
  const conditions: Expression<SqlBool>[] = [users.or(named)]
  if (group !== '') conditions.push(users('group', '=', group))
  if (role !== '') conditions.push(users('role', '=', role === 'admin' ? 10 : 1))
  if (status !== '') conditions.push(users('deleted_at', status === 'deleted' ? 'is not' : 'is', null))
  if (status === 'active' || status === 'banned')
    conditions.push(users('status', '=', status === 'active' ? 1 : 2))
  return { table: 'users', where: users.and(conditions) }
}

async function idsOf({ store }: App, { table, where }: Matching): Promise<number[]> {
  const rows = await store.db.selectFrom(table).select('id').where(where).orderBy('id', 'desc').execute()
  return rows.map(({ id }) => id)
}

/** The second to the sixth of those who have least: the oldest do. */
async function leastQuota({ store: { db } }: App, matching: Matching): Promise<readonly number[]> {
  const sought = { ...matching, count: async () => 0 }
  const { ids } = await indexedPage(
    db,
    sought,
    { limit: 5, offset: 1 },
    { column: 'quota', descending: false },
  )
  return ids
}

const named = (keyword: string): UserSearch => ({ keyword, group: '', role: '', status: '' })

test('SQLite finds whom it would find in the columns themselves, whatever is written, changed or removed', async () => {
  const app = await openApp(await sqliteUrl())
  const { db } = app.store
  const seed = newSeed()
  const random = seeded(seed)
  const people = Array.from({ length: 300 }, (_, at) => ({
    ...newUser('', 'x', 1),
    ...someNames(random, at),
    group: at % 3 === 0 ? 'vip' : 'default',
    deleted_at: at % 4 === 0 ? 1 : null,
    status: at % 5 === 0 ? 2 : 1,
    role: at % 7 === 0 ? 10 : 1,
    quota: at,
  }))
  await db.insertInto('users').values(people).execute()
  for (let at = 0; at < 160; at++) {
    const users = db.updateTable('users').where('id', '=', random(1, people.length))
    const { username, email, display_name } = someNames(random, people.length + at)
    const changes = [{ username }, { email }, { display_name }]
    const filters = [{ group: 'vip' }, { role: 10 }, { status: 2 }, { deleted_at: 1 }, { deleted_at: null }]
    const change = [...changes, ...filters][at % 8]
    if (change) await users.set(change).execute()
  }
  const gone = Array.from({ length: 20 }, () => random(1, people.length))
  await db.deleteFrom('users').where('id', 'in', gone).execute()
  const together = people.map(({ username, email, display_name }) => username + (email ?? '') + display_name)
  let found = 0
  for (let at = 0; at < 2000; at++) {
    const search = someSearch(random, together[at % together.length] ?? '')
    const said = { seed, search }
    const matching = matchUsers(app, search)
    const [expected, ids] = await Promise.all([idsOf(app, plainly(search)), idsOf(app, matching)])
    expect({ ...said, ids }).toEqual({ ...said, ids: expected })
    found += expected.length
    if (at % 4 > 0) continue
    expect({ ...said, ids: await leastQuota(app, matching) }).toEqual({
      ...said,
      ids: expected.toReversed().slice(1, 6),
    })
  }
  expect(found).toBeGreaterThan(2000)
})

test('no word is found from the end of one name to the beginning of the next', async () => {
  const app = await openApp(await sqliteUrl())
  const names = { email: 'cd@example.com', display_name: 'Xy' }
  await app.store.db
    .insertInto('users')
    .values({ ...newUser('ab', 'x', 1), ...names })
    .execute()
  for (const word of ['AB', 'cd@', '.com', 'xY'])
    expect(await idsOf(app, matchUsers(app, named(word)))).toEqual([1])
  for (const word of ['bc', 'abcd', 'b c', 'mx', 'm x'])
    expect([word, await idsOf(app, matchUsers(app, named(word)))]).toEqual([word, []])
})

test('whoever was there before that table was is found', async () => {
  const app = await openApp(await sqliteUrl())
  const { db } = app.store
  for (const when of ['insert', 'update', 'delete'])
    await sql.raw(`drop trigger user_search_${when}`).execute(db)
  await sql`drop table user_search`.execute(db)
  await sql`create index users_words on users (username, email, display_name)`.execute(db)
  for (const username of ['anna', 'bert'])
    await db
      .insertInto('users')
      .values({ ...newUser(username, 'x', 1), display_name: '王伟' })
      .execute()
  await userSearch(db as Kysely<unknown>, 'sqlite')
  expect(await idsOf(app, matchUsers(app, named('王')))).toEqual([2, 1])
  await db.updateTable('users').set({ username: 'berta' }).where('id', '=', 2).execute()
  expect(await idsOf(app, matchUsers(app, named('rta')))).toEqual([2])
})

test('a charge does not pay for it', async () => {
  const app = await openApp(await sqliteUrl())
  const request = { id: 'r', userId: 1, tokenId: 0, log: undefined }
  const pay: Pay = { ...request, kind: 'pay', charge: 5, price: '', began: 1 }
  const { writes } = decide([[{ id: 1, quota: 9 }], [], []], { moves: [pay], nodeId: 'n', now: 1 })
  const [charge] = compileWrites('sqlite', writes)
  if (!charge) throw new Error('nothing is written')
  expect(charge.sql).toStartWith('update "users"')
  const triggersOf = async (text: string): Promise<number> => {
    const { rows } = await sql.raw<{ opcode: string }>(`explain ${text}`).execute(app.store.db)
    return rows.filter(({ opcode }) => opcode === 'Program').length
  }
  expect(await triggersOf(charge.sql.replaceAll('?', '1'))).toBe(0)
  expect(await triggersOf('update users set email = 1 where id = 1')).toBe(1)
})
