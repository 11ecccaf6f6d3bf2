import { afterAll, describe, expect, test } from 'bun:test'
import type { Kysely } from 'kysely'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { newUser } from '../../services/setup.ts'
import { leftBehind } from './0033-left-behind.ts'

afterAll(dropAll)

describe.each(engines.map(engine => [engine.name, engine] as const))(
  'an older database on %s',
  (_, engine) => {
    test('loses what deleted accounts have left behind, and nothing else', async () => {
      const store = await openSampleStore(await engine.freshUrl())
      const { db } = store
      for (const [username, deleted_at] of [
        ['here', null],
        ['gone', 1],
      ] as const)
        await db
          .insertInto('users')
          .values({ ...newUser(username, 'x', 1), deleted_at })
          .execute()
      const users = await db.selectFrom('users').select(['id', 'username']).execute()
      const at = { created_by: 0, created_at: 1 }
      for (const { id: user_id, username } of users) {
        await db
          .insertInto('prompts')
          .values({ ...at, user_id, name: username, version: 1, newest: 1, updated_at: 1 })
          .execute()
        await db.insertInto('backup_codes').values({ user_id, code_hash: username }).execute()
      }
      for (const { id: prompt_id, name } of await db.selectFrom('prompts').select(['id', 'name']).execute())
        await db
          .insertInto('prompt_versions')
          .values({ ...at, prompt_id, version: 1, model: name, content: '{}', size: 2, note: '' })
          .execute()
      await db.schema.alterTable('user_notices').dropColumn('set_by').execute()
      await leftBehind(db as unknown as Kysely<unknown>, store.engine)
      expect(await db.selectFrom('prompts').select('name').execute()).toEqual([{ name: 'here' }])
      expect(await db.selectFrom('prompt_versions').select('model').execute()).toEqual([{ model: 'here' }])
      expect(await db.selectFrom('backup_codes').select('code_hash').execute()).toEqual([
        { code_hash: 'here' },
      ])
      expect(await db.selectFrom('user_notices').select('set_by').execute()).toEqual([])
      await store.close()
    })
  },
)
