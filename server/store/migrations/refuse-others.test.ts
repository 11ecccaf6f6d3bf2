import { afterAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { makeOlder, newApi, oneApi } from '../../../test/import/older-database.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { openForeignDatabase } from '../foreign-database.ts'
import { OthersDatabase } from './refuse-others.ts'

afterAll(dropAll)

const addressOf = (url: string): string => url.replace(/^sqlite:/, '')

/** How starting on a database ended. */
async function outcome(url: string): Promise<unknown> {
  return openSampleStore(url).then(
    store => store.close().then(() => 'started'),
    error => error,
  )
}

describe.each(engines.map(engine => [engine.name, engine] as const))('on %s', (name, engine) => {
  test.each([
    ['one-api', oneApi],
    ['new-api', newApi],
  ] as const)('the database of %s is refused, and left as it was', async (_tool, shape) => {
    const url = await engine.emptyUrl()
    await makeOlder(name, addressOf(url), shape, {})
    for (const _again of [1, 2]) {
      const refused = await outcome(url)
      expect(refused).toBeInstanceOf(OthersDatabase)
      expect((refused as Error).message).toStartWith(
        'it is a database of one-api or new-api, and nothing in it was changed: let DATABASE_URL name another',
      )
    }
    const older = await openForeignDatabase(addressOf(url))
    expect([...(await older.columns('users'))].sort()).toEqual(Object.keys(shape.users).sort())
    for (const ours of ['kysely_migration', 'sessions', 'nodes'])
      expect([ours, (await older.columns(ours)).size]).toEqual([ours, 0])
    await older.close()
  })
})

describe('on postgres', () => {
  const fresh = async (statement: string): Promise<string> => {
    const url = (await engines.find(({ name }) => name === 'postgres')?.emptyUrl()) ?? ''
    const sql = new SQL(url, { max: 1 })
    await sql.unsafe(statement).simple()
    await sql.close()
    return url
  }

  test('LiteLLM’s, which drops what it does not know, is refused too', async () => {
    const url = await fresh('create table "LiteLLM_VerificationToken" (token text primary key)')
    expect(String(await outcome(url))).toContain('it is a database of LiteLLM')
  })

  test('what others have in a schema of their own is theirs, and no hindrance', async () => {
    const url = await fresh('create schema auth; create table auth.users (id bigint primary key)')
    expect(await outcome(url)).toBe('started')
  })
})
