import { afterAll, expect, test } from 'bun:test'
import { roles } from '../../../contract/users.ts'
import { until } from '../../../test/program.ts'
import { plainChannel } from '../../../test/relay/sample-channels.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines, startPostgres } from '../../../test/services/databases.ts'
import { accessToken, keyOf } from '../../../test/upstreams/codex/start.ts'
import { createOutbound } from '../../outbound/client.ts'
import type { Store } from '../../store/index.ts'
import type { App } from '../app.ts'
import { hashKey, openKey, sealKey } from './key.ts'
import { renewKeys } from './renew-keys.ts'
import { updateChannel } from './update.ts'

afterAll(dropAll)

/** Whose tokens are about to end. */
async function addChannel(store: Store, now: number, port: number | undefined): Promise<void> {
  const key = keyOf(accessToken('old', now + 60), 'rt_old_0123456789abcdef')
  const row = { ...plainChannel, id: 1, type: 57, name: 'c', models: 'm' }
  const base_url = `http://127.0.0.1:${port}`
  await store.db
    .insertInto('channels')
    .values({ ...row, base_url, key_sealed: sealKey(store, 1, key), key_hash: hashKey(store, key) })
    .execute()
}

async function storedKey(store: Store): Promise<unknown> {
  const found = await store.db.selectFrom('channels').select(['id', 'key_sealed']).executeTakeFirstOrThrow()
  return JSON.parse(openKey(store, found))
}

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
    await addChannel(store, now, vendor.port)
    const app = { store, settings: store.settings, outbound: createOutbound(), now: () => now } as App
    const renewing = renewKeys(app, new AbortController().signal)
    await until(() => asked.length > 0)
    await database.start()
    await renewing
    expect(await storedKey(store)).toMatchObject({
      access_token: next,
      refresh_token: 'rt_next_0123456789abcdef',
    })
    expect(asked).toEqual(['rt_old_0123456789abcdef'])
  } finally {
    await vendor.stop(true)
    await store.close()
    await database.close()
  }
}, 180_000)

const cases = [
  ['a channel that somebody enables meanwhile has the new ones', {}, 'rt_next_0123456789abcdef'],
  ['who enters another key meanwhile means that one', { key: true }, 'rt_other_0123456789abcdef'],
] as const

test.each(
  engines.flatMap(engine => cases.map(one => [engine.name, one[0], engine, one[1], one[2]] as const)),
)('%s: %s', async (_name, _what, engine, { key }: { key?: boolean }, expected) => {
  const store = await openSampleStore(await engine.freshUrl())
  const now = Math.floor(Date.now() / 1000)
  const app = { store, settings: store.settings, outbound: createOutbound(), now: () => now } as App
  const root = { caller: { id: 1, username: 'root', role: roles.root }, address: '' }
  const other = keyOf(accessToken('other', now + 86_400), 'rt_other_0123456789abcdef')
  const vendor = Bun.serve({
    port: 0,
    async fetch() {
      await updateChannel(app, root, { id: 1, status: 1, ...(key && { key: other }) })
      const access_token = accessToken('next', now + 86_400)
      return Response.json({ access_token, refresh_token: 'rt_next_0123456789abcdef' })
    },
  })
  try {
    await addChannel(store, now, vendor.port)
    await renewKeys(app, new AbortController().signal)
    expect(await storedKey(store)).toMatchObject({ refresh_token: expected })
  } finally {
    await vendor.stop(true)
    await store.close()
  }
})
