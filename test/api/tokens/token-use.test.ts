import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '../../program.ts'
import { openRig, type Rig, type SeededToken } from '../../relay/rig.ts'
import { ask, chat, readStream } from '../../relay/ways.ts'
import { dropAll, engines } from '../../services/databases.ts'
import type { FakeUpstream } from '../../upstreams/index.ts'
import { TokenClient } from '../rig-client.ts'

// When a token was last used, as its owner and third-party tools read it.

afterAll(dropAll)

const now = (): number => Math.floor(Date.now() / 1000)
const models = { paid: 'm-paid', free: 'm-free' }

describe.each(engines.map(engine => [engine.name, engine] as const))('last use on %s', (_name, engine) => {
  let fake: FakeUpstream
  let rig: Rig
  let userId = 0

  beforeAll(async () => {
    fake = await chat.start()
    rig = await openRig(
      async books => {
        userId = await books.addUser()
        await books.setOption('ModelRatio', JSON.stringify({ [models.paid]: 1, [models.free]: 0 }))
        const seed = { type: chat.channelType, baseUrl: fake.url, key: fake.key }
        await books.addChannel({ ...seed, models: Object.values(models) })
      },
      { DATABASE_URL: (await engine.freshUrl()) ?? '' },
    )
  })
  afterAll(async () => {
    expect(await rig.differences()).toEqual([])
    await rig.close()
    await fake.stop()
  })

  const usedAt = async ({ id }: SeededToken): Promise<number> => {
    const row = rig.store.db.selectFrom('tokens').select('accessed_time').where('id', '=', id)
    return (await row.executeTakeFirstOrThrow()).accessed_time
  }

  async function setUsedAt({ id }: SeededToken, accessed_time: number, created_time: number): Promise<void> {
    await rig.store.db
      .updateTable('tokens')
      .set({ accessed_time, created_time })
      .where('id', '=', id)
      .execute()
  }

  async function call({ key }: SeededToken, stream: boolean, model = models.paid): Promise<void> {
    const response = await ask(rig.url, chat, { key, model, stream })
    expect(response.status).toBe(200)
    await readStream(response)
  }

  describe.each([
    ['a budget', { budget: 1_000_000 }],
    ['no limit', {}],
  ])('with %s', (_what, limit) => {
    test.each([false, true])('a call is noted, streamed %p', async stream => {
      const token = await rig.addToken({ userId, ...limit })
      const made = now() - 1000
      await setUsedAt(token, made, made)
      const before = now()
      await call(token, stream)
      await until(async () => (await usedAt(token)) >= before)
      expect(await usedAt(token)).toBeLessThanOrEqual(now())
    })
  })

  test('a free call is a use too', async () => {
    const token = await rig.addToken({ userId })
    const before = now()
    await call(token, false, models.free)
    await until(async () => (await usedAt(token)) >= before)
  })

  test('within a minute it is not written again', async () => {
    const token = await rig.addToken({ userId })
    const lately = now() - 1
    await setUsedAt(token, lately, lately - 1000)
    await call(token, false)
    await call(token, true)
    await until(async () => (await rig.differences()).length === 0)
    expect(await usedAt(token)).toBe(lately)
    await setUsedAt(token, lately - 70, lately - 1000)
    await Promise.all([call(token, false), call(token, true), call(token, false)])
    await until(async () => (await usedAt(token)) >= lately)
    expect(await usedAt(token)).toBeLessThanOrEqual(now())
  })

  test('a token that was just made shows its first use, and one that is refused shows none', async () => {
    const client = await TokenClient.of(rig, await rig.addUser())
    await client.post('/api/token/', { name: 'new', unlimited_quota: true })
    const listed = async () => (await client.get('/api/token/?p=0&size=10')).json.data[0]
    const { id, key } = await listed()
    const refused = await ask(rig.url, chat, { key: `sk-${key}`, model: 'm-unknown' })
    expect(refused.status).toBe(503)
    const { created_time, accessed_time } = await listed()
    expect(accessed_time).toBe(created_time)
    await call({ id, key: `sk-${key}` }, false)
    await until(async () => (await listed()).accessed_time > created_time)
  })
})
