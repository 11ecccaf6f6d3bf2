import { expect, setDefaultTimeout, test } from 'bun:test'
import { expressionBuilder } from 'kysely'
import { sampleApps } from '../../test/sample-apps.ts'
import { engines } from '../../test/services/databases.ts'
import type { Schema } from '../store/schema.ts'
import { countRows } from './paging.ts'
import { indexedPage, searchedPage } from './search-page.ts'
import { newUser } from './setup.ts'

setDefaultTimeout(600_000)
const { openApp } = sampleApps()
const USERS = 5000
const MANY = 12_000

// What many have lies among the newest rows, what some have a little further, what few have anywhere.
test.each(engines.map(engine => [engine.name, engine] as const))(
  'on %s pages of what is searched for are whole and in order, however rare it is',
  async (_name, engine) => {
    const { db } = (await openApp(await engine.freshUrl())).store
    const names = Array.from({ length: USERS }, (_, at) => nameOf(at + 1))
    for (let at = 0; at < USERS; at += 500)
      await db
        .insertInto('users')
        .values(names.slice(at, at + 500).map(name => newUser(name, 'x', 1)))
        .execute()
    const rows = await db.selectFrom('users').select(['id', 'username']).orderBy('id', 'desc').execute()
    for (const [word, limit, offset] of [
      ['often', 10, 0],
      ['often', 10, 1500],
      ['often', 10, 2490],
      ['often', 10, 9000],
      ['some', 20, 40],
      ['some', 20, 90],
      ['once', 10, 0],
      ['once', 10, 10],
      ['never', 10, 0],
    ] as const) {
      const expected = rows.filter(({ username }) => username.includes(word)).map(({ id }) => id)
      const where = expressionBuilder<Schema, 'users'>()('username', 'like', `%${word}%`)
      const count = () => countRows(db.selectFrom('users').where(where))
      const { ids, total } = await searchedPage(db, { table: 'users', where, count }, { limit, offset })
      expect([word, offset, ids]).toEqual([word, offset, expected.slice(offset, offset + limit)])
      expect([word, offset, await total()]).toEqual([word, offset, expected.length])
    }
  },
)

test.each(engines.map(engine => [engine.name, engine] as const))(
  'on %s a page is the same from whichever end it is read',
  async (_name, engine) => {
    const { db } = (await openApp(await engine.freshUrl())).store
    const names = Array.from({ length: MANY }, (_, at) => `user-${at}`)
    for (let at = 0; at < MANY; at += 500)
      await db
        .insertInto('users')
        .values(names.slice(at, at + 500).map(name => newUser(name, 'x', 1)))
        .execute()
    const rows = await db.selectFrom('users').select('id').orderBy('id', 'desc').execute()
    const expected = rows.map(({ id }) => id)
    const where = expressionBuilder<Schema, 'users'>().and([])
    const count = () => countRows(db.selectFrom('users').where(where))
    for (const offset of [
      0,
      4990,
      5000,
      5990,
      6010,
      9000,
      rows.length - 10,
      rows.length - 3,
      rows.length,
      20_000,
    ]) {
      const page = await indexedPage(db, { table: 'users', where, count }, { limit: 10, offset })
      expect([offset, page.ids]).toEqual([offset, expected.slice(offset, offset + 10)])
      expect([offset, await page.total()]).toEqual([offset, rows.length])
    }
  },
)

function nameOf(at: number): string {
  if (at === 7) return 'once'
  if (at % 50 === 0) return `some-${at}`
  return at % 2 === 0 ? `often-${at}` : `plain-${at}`
}
