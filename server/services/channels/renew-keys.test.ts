import { afterAll, expect, test } from 'bun:test'
import { until } from '../../../test/program.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, startPostgres } from '../../../test/services/databases.ts'
import { accessToken, keyOf } from '../../../test/upstreams/codex/start.ts'
import { createOutbound } from '../../outbound/client.ts'
import type { App } from '../app.ts'
import { hashKey, openKey, sealKey } from './key.ts'
import { renewKeys } from './renew-keys.ts'

afterAll(dropAll)

test('new tokens are not lost where the database is away when they come', async () => {
  const database = await startPostgres()
  const store = await openSampleStore(database.url)
  const now = Math.floor(Date.now() / 1000)
  const next = accessToken('next', now + 86_400)
  const asked: string[] = []
  const vendor = Bun.serve({
    port: 0,
    async fetch(request) {
      const { refresh_token } = (await request.json()) as { refresh_token: string }
      await database.stop('crash')
      asked.push(refresh_token)
      return Response.json({ access_token: next, refresh_token: 'rt_next_0123456789abcdef' })
    },
  })
  try {
    const key = keyOf(accessToken('old', now + 60), 'rt_old_0123456789abcdef')
    const named = { name: 'c', models: 'm', group: 'default', other: '', other_info: '' }
    const none = {
      priority: 0,
      weight: 0,
      response_time: 0,
      test_time: 0,
      balance: 0,
      balance_updated_time: 0,
    }
    const row = {
      ...named,
      ...none,
      type: 57,
      status: 1,
      auto_ban: 1,
      used_quota: 0,
      created_time: 1,
    } as const
    const base_url = `http://127.0.0.1:${vendor.port}`
    await store.db
      .insertInto('channels')
      .values({ ...row, id: 1, base_url, key_sealed: sealKey(store, 1, key), key_hash: hashKey(store, key) })
      .execute()
    const app = { store, settings: store.settings, outbound: createOutbound(), now: () => now } as App
    const renewing = renewKeys(app)
    await until(() => asked.length > 0)
    await database.start()
    await renewing
    const found = await store.db.selectFrom('channels').select(['id', 'key_sealed']).executeTakeFirstOrThrow()
    expect(JSON.parse(openKey(store, found))).toMatchObject({
      access_token: next,
      refresh_token: 'rt_next_0123456789abcdef',
    })
    expect(asked).toEqual(['rt_old_0123456789abcdef'])
  } finally {
    await vendor.stop(true)
    await store.close()
    await database.close()
  }
}, 60_000)
