import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { type Client, rootClient } from '../../client.ts'
import { ROOT_PASSWORD, until } from '../../program.ts'
import type { ChannelSeed, Rig } from '../../relay/rig.ts'
import { serveLoopback } from '../../serve-loopback.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { openApi, TokenClient } from '../rig-client.ts'

// What a channel's account at its vendor holds, and the key to it.

let rig: Rig
let root: Client
let openai: FakeUpstream

beforeAll(async () => {
  rig = await openApi((await engines[0]?.freshUrl()) ?? '', { CriticalRateLimit: '0' })
  root = await rootClient(rig.url)
  openai = await startOpenai()
})
afterAll(async () => {
  await rig.close()
  await openai.stop()
  await dropAll()
})
beforeEach(async () => {
  await rig.store.change('channels', async transaction => {
    await transaction.deleteFrom('channels').execute()
  })
  openai.always({})
})

const one = async (id: number): Promise<ChannelView> => (await root.get(`/api/channel/${id}`)).json.data
const add = (fake: FakeUpstream, more: Partial<ChannelSeed> = {}): Promise<number> =>
  rig.addChannel({ type: 1, baseUrl: fake.url, key: fake.key, models: ['gpt-4o'], ...more })
const isEnded = async (name: string): Promise<Record<string, unknown> | undefined> =>
  (await root.get('/api/channel/work')).json.data.find(
    (work: { name: string; running: boolean }) => work.name === name && !work.running,
  )

describe('balances', () => {
  /** A vendor’s money pages, as paths and what they answer. */
  function moneyPages(pages: Record<string, object>): { url: string; asked: string[]; stop(): void } {
    const asked: string[] = []
    const server = serveLoopback(request => {
      const { pathname } = new URL(request.url)
      asked.push(`${pathname} ${request.headers.get('authorization')}`)
      const page = pages[pathname]
      return page ? Response.json(page) : new Response('no', { status: 404 })
    })
    return { url: `http://127.0.0.1:${server.port}`, asked, stop: () => void server.stop(true) }
  }

  test('are read from whoever tells them, in dollars', async () => {
    const pages = moneyPages({
      '/v1/dashboard/billing/subscription': { hard_limit_usd: 20.5 },
      '/v1/dashboard/billing/usage': { total_usage: 1025.5 },
      '/v1/users/me/balance': { code: 0, data: { available_balance: 73, voucher_balance: 1 } },
      '/user/balance': {
        balance_infos: [
          { currency: 'CNY', total_balance: '14.60' },
          { currency: 'USD', total_balance: '1.5' },
        ],
      },
      '/v1/user/info': { code: 20000, data: { totalBalance: '36.5' } },
    })
    for (const [type, dollars] of [
      [1, 10.245],
      [8, 10.245],
      [25, 10],
      [43, 3.5],
      [40, 5],
    ] as const) {
      const id = await rig.addChannel({ type, baseUrl: pages.url, key: 'sk-money', models: ['m'] })
      const { json } = await root.get(`/api/channel/update_balance/${id}/`)
      expect([type, json]).toEqual([type, { success: true, message: '', balance: dollars }])
      const row = await one(id)
      expect([row.balance, row.balance_updated_time > 0]).toEqual([dollars, true])
    }
    expect(new Set(pages.asked.map(line => line.split(' ').slice(1).join(' ')))).toEqual(
      new Set(['Bearer sk-money']),
    )
    const claude = await add(openai, { type: 14 })
    expect((await root.get(`/api/channel/update_balance/${claude}`)).json.message).toBe('尚未实现')
    expect((await root.get('/api/channel/update_balance/999999')).json.message).toBe('record not found')
    pages.stop()
  })

  test('of all enabled channels are updated in the background; whoever has nothing left is disabled', async () => {
    const rich = moneyPages({ '/v1/users/me/balance': { data: { available_balance: 7.3 } } })
    const poor = moneyPages({ '/v1/users/me/balance': { data: { available_balance: 0 } } })
    const seed = { type: 25, key: 'sk-money', models: ['m'] }
    const [a, b, c, d, e] = [
      await rig.addChannel({ ...seed, baseUrl: rich.url }),
      await rig.addChannel({ ...seed, baseUrl: poor.url }),
      await rig.addChannel({ ...seed, baseUrl: poor.url, autoBan: false }),
      await rig.addChannel({ ...seed, baseUrl: poor.url, status: 2 }),
      // Of the account of its other key nobody has asked.
      await rig.addChannel({ ...seed, baseUrl: poor.url, key: 'sk-money\nsk-more-money' }),
    ] as const
    expect((await root.get('/api/channel/update_balance')).json.success).toBe(true)
    expect(await until(() => isEnded('channel-balance'))).toMatchObject({ total: 4, done: 4, failed: 0 })
    const statuses = await Promise.all([a, b, c, d, e].map(async id => (await one(id)).status))
    expect(statuses).toEqual([1, 3, 1, 2, 1])
    expect(JSON.parse((await one(b)).other_info).status_reason).toBe('余额不足')
    expect((await one(a)).balance).toBe(1)
    rich.stop()
    poor.stop()
  })

  test('that are found out of a channel as it was are no reason to disable what it is by then', async () => {
    const ids: number[] = []
    // Whoever sees that nothing is left gives it the key of another account.
    const poor = serveLoopback(async () => {
      await root.put('/api/channel/', { id: ids[0], key: 'sk-of-another-account' })
      return Response.json({ data: { available_balance: 0 } })
    })
    const baseUrl = `http://127.0.0.1:${poor.port}`
    ids.push(await rig.addChannel({ type: 25, key: 'sk-money', models: ['m'], baseUrl }))
    await root.get('/api/channel/update_balance')
    expect(await until(() => isEnded('channel-balance'))).toMatchObject({ total: 1, done: 1, failed: 0 })
    expect(await one(ids[0] ?? 0)).toMatchObject({ status: 1, other_info: '' })
    await poor.stop(true)
  })

  test('an administrator stops what administrators begin, and not what is the super administrator’s', async () => {
    const { db } = rig.store
    const now = Math.floor(Date.now() / 1000)
    const names = ['clear-logs', 'close-books', 'channel-balance'] as const
    await db.deleteFrom('background_work').where('name', 'in', names).execute()
    const under = { owner: 'x', total: 1, done: 0, failed: 0, started_at: now, seen_at: now, ended_at: 0 }
    await db
      .insertInto('background_work')
      .values(names.map(name => ({ ...under, name, cancelled: 0 })))
      .execute()
    const stopped = async () =>
      (await db.selectFrom('background_work').select('name').where('cancelled', '=', 1).execute())
        .map(({ name }) => name)
        .sort()
    const admin = await TokenClient.of(rig, await rig.addUser({ role: 10 }))
    const stop = (client: Client, name: string) => client.post('/api/channel/work/cancel', { name })
    for (const name of names.slice(0, 2))
      expect((await stop(admin, name)).json).toMatchObject({
        success: false,
        message: '无权进行此操作，权限不足',
      })
    expect((await stop(admin, 'channel-balance')).json.success).toBe(true)
    expect(await stopped()).toEqual(['channel-balance'])
    expect((await stop(root, 'close-books')).json.success).toBe(true)
    expect(await stopped()).toEqual(['channel-balance', 'close-books'])
    await db.deleteFrom('background_work').where('name', 'in', names).execute()
  })
})

describe('the key', () => {
  test('is shown to the super administrator who gives the password again, and never unnoticed', async () => {
    const id = await add(openai)
    const ask = (password: string) => root.post(`/api/channel/${id}/key`, { password })
    const refused = await ask('not-the-password')
    expect([refused.status, refused.json.message]).toEqual([403, '密码错误，无法查看渠道密钥'])
    expect((await root.post(`/api/channel/${id}/key`, {})).status).toBe(403)
    expect((await ask(ROOT_PASSWORD)).json.data).toEqual({ key: openai.key })
    const logged = await rig.store.db.selectFrom('logs').selectAll().where('type', '=', 3).execute()
    expect(logged).toHaveLength(1)
    expect(logged[0]?.content).toContain(`#${id}`)
    expect(rig.program.output()).toContain('the key of a channel was shown')
    expect(rig.program.output()).not.toContain(openai.key)
    for (let wrong = 0; wrong < 10; wrong++) await ask('guess')
    expect((await ask(ROOT_PASSWORD)).status).toBe(429)
  })

  test('is in no other answer', async () => {
    const id = await add(openai, { name: 'secretive' })
    for (const path of [
      `/api/channel/${id}`,
      '/api/channel/?page_size=100',
      '/api/channel/?tag_mode=true',
      '/api/channel/search?keyword=secretive',
    ])
      expect((await root.get(path)).text).not.toContain(openai.key)
    const put = await root.put('/api/channel/', { id, key: 'sk-a-new-secret-key' })
    expect(put.text).not.toContain('sk-a-new-secret-key')
  })
})
