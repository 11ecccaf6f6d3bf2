import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { TokenView } from '../../../contract/tokens.ts'
import { settableClock } from '../../faults/settable-clock.ts'
import { type Program, ROOT_PASSWORD, startProgram, until } from '../../program.ts'
import { openRig, type Rig, SECRET_KEY } from '../../relay/rig.ts'
import { ask, chat, problemIn } from '../../relay/ways.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { TokenClient } from '../rig-client.ts'

afterAll(dropAll)

const DAY = 86_400
const SHANGHAI = 8 * 3600
/** What one call of the model costs. */
const CALL = 5000

const now = (): number => Math.floor(Date.now() / 1000)
/** As a calendar in Shanghai has it. */
const midnightAfter = (at: number): number => Math.ceil((at + 1 + SHANGHAI) / DAY) * DAY - SHANGHAI

describe.each(engines.map(engine => [engine.name, engine] as const))(
  'a token’s budget that renews, on %s',
  (_name, engine) => {
    const clock = settableClock()
    /** By how much the program's clock is ahead: to begin with, until it is noon there. */
    let ahead = midnightAfter(now()) + DAY / 2 - now()
    let environment: Record<string, string> = {}
    let rig: Rig
    let other: Program
    let fake: FakeUpstream
    let alice: TokenClient

    beforeAll(async () => {
      fake = await startOpenai()
      await clock.set(ahead)
      environment = { DATABASE_URL: await engine.freshUrl(), TZ: 'Asia/Shanghai', ...clock.environment }
      rig = await openRig(async books => {
        await books.setOption('GlobalApiRateLimit', '0')
        await books.setOption('ModelPrice', '{"m-call":0.01}')
        await books.addChannel({ type: 1, baseUrl: fake.url, key: fake.key, models: ['m-call'] })
      }, environment)
      // On another machine, which sees to the same tokens.
      other = await startProgram({ SECRET_KEY, ROOT_PASSWORD, ...environment })
      alice = await TokenClient.of(rig, await rig.addUser())
    })
    afterAll(async () => {
      expect(await rig.differences()).toEqual([])
      await other.stop()
      await rig.close()
      await fake.stop()
    })

    const passDays = async (days: number): Promise<void> => {
      ahead += days * DAY
      await clock.set(ahead)
    }
    const read = async (id: number): Promise<TokenView> => (await alice.get(`/api/token/${id}`)).json.data
    const edit = async (id: number, fields: object) =>
      (await alice.put('/api/token/', { id, ...fields })).json.data
    async function create(fields: object): Promise<TokenView> {
      expect((await alice.post('/api/token/', { expired_time: -1, ...fields })).json.success).toBe(true)
      return (await alice.get('/api/token/?p=0')).json.data[0]
    }
    /** To its end: then it is paid. */
    const spend = async (token: TokenView) => {
      const response = await ask(rig.url, chat, { key: `sk-${token.key}`, model: 'm-call' })
      return { status: response.status, text: await response.text() }
    }
    const refillsOf = ({ id }: TokenView) =>
      rig.store.db
        .selectFrom('ledger_entries')
        .select(['ref', 'token_amount'])
        .where('kind', '=', 'refill')
        .where('token_id', '=', id)
        .orderBy('ref')
        .execute()

    test('is told in every view, and stays as it is for a client that does not know of it', async () => {
      const plain = await create({ name: 'plain', remain_quota: 7 })
      expect(plain).toMatchObject({ refill_quota: 0, refill_period: 'none', refill_at: 0, remain_quota: 7 })
      const daily = await create({ name: 'daily', refill_quota: 900, refill_period: 'day' })
      // What the first day has, where nobody says otherwise, is what every day has.
      const told = { refill_quota: 900, refill_period: 'day', remain_quota: 900 }
      expect(daily).toMatchObject(told)
      expect(daily.refill_at).toBe(midnightAfter(daily.created_time))
      expect(await read(daily.id)).toEqual(daily)
      const usage = await fetch(`${rig.url}/api/usage/token`, { headers: { authorization: daily.key } })
      expect((await usage.json()).data).toMatchObject({
        ...{ total_available: 900, refill_quota: 900, refill_period: 'day', refill_at: daily.refill_at },
      })

      expect(await edit(daily.id, { name: 'renamed', remain_quota: 20 })).toMatchObject({
        ...{ ...told, remain_quota: 20, refill_at: daily.refill_at },
      })
      // Sent back whole, with a time that only the program sets.
      expect(await edit(daily.id, { ...(await read(daily.id)), refill_at: 5 })).toMatchObject({
        ...{ refill_period: 'day', refill_at: daily.refill_at, remain_quota: 20 },
      })
      expect(await edit(daily.id, { refill_quota: 30 })).toMatchObject({
        ...{ refill_quota: 30, refill_period: 'day', refill_at: daily.refill_at, remain_quota: 20 },
      })
      const [week, month] = [await edit(daily.id, { refill_period: 'week' }), { refill_period: 'month' }]
      expect(new Date((week.refill_at + SHANGHAI) * 1000).toUTCString()).toMatch(/^Mon, .* 00:00:00 GMT$/)
      const monthly = await edit(daily.id, month)
      expect(new Date((monthly.refill_at + SHANGHAI) * 1000).toUTCString()).toMatch(
        /^\w+, 01 .* 00:00:00 GMT$/,
      )
      expect(await edit(daily.id, { refill_period: 'none' })).toMatchObject({
        ...{ refill_quota: 30, refill_period: 'none', refill_at: 0, remain_quota: 20 },
      })
      expect(await edit(plain.id, { refill_period: 'day', refill_quota: 5 })).toMatchObject({
        ...{ remain_quota: 7, refill_at: daily.refill_at },
      })
    })

    test.each([
      [{ refill_period: 'hour' }, '输入不合法 refill_period'],
      [{ refill_period: '' }, '输入不合法 refill_period'],
      [{ refill_period: 1 }, '输入不合法 refill_period'],
      [{ refill_period: 'day', refill_quota: -1 }, '输入不合法 refill_quota'],
      [{ refill_period: 'day', refill_quota: 0.5 }, '输入不合法 refill_quota'],
      [{ refill_period: 'day', refill_quota: '5' }, '输入不合法 refill_quota'],
      [{ refill_period: 'day', refill_quota: 1e15 + 1 }, '输入不合法 refill_quota'],
      [{ refill_period: 'day', refill_quota: 0 }, '额度定期更新时，每次更新的额度必须大于 0'],
      [{ refill_period: 'month' }, '额度定期更新时，每次更新的额度必须大于 0'],
    ])('%p is refused, and nothing is made of it', async (fields, message) => {
      const answer = await alice.post('/api/token/', { name: 'wrong', ...fields })
      expect(answer.json.success).toBe(false)
      expect(answer.json.message).toStartWith(message)
      expect((await alice.get('/api/token/search?keyword=wrong')).json.data).toEqual([])
      const good = await create({ name: 'good', refill_quota: 5, refill_period: 'week' })
      const changed = await alice.put('/api/token/', { id: good.id, ...fields })
      // What is not said of one that renews stays as it was, so that a period alone is enough for it.
      if (Object.keys(fields).length === 1 && fields.refill_period === 'month')
        expect(changed.json.data).toMatchObject({ refill_period: 'month', refill_quota: 5 })
      else {
        expect([changed.json.success, changed.json.message.startsWith(message)]).toEqual([false, true])
        expect(await read(good.id)).toEqual(good)
      }
      await alice.send('DELETE', `/api/token/${good.id}`)
    })

    test('takes no amount of nothing from one that renews, and says so in English too', async () => {
      const good = await create({ name: 'good', refill_quota: 5, refill_period: 'week' })
      const headers = { 'accept-language': 'en' }
      const body = { id: good.id, refill_quota: 0 }
      const answer = await alice.send('PUT', '/api/token/', { headers, body })
      expect(answer.json.message).toBe('A quota that renews itself needs an amount above 0 to renew to')
      expect(await read(good.id)).toEqual(good)
    })

    test('is there again on the next day for who had spent it, once, on both machines', async () => {
      const token = await create({ name: 'spends', refill_quota: 2 * CALL, refill_period: 'day' })
      const off = await create({ name: 'off', refill_quota: 9, refill_period: 'day', remain_quota: 1 })
      await alice.put('/api/token/?status_only=true', { id: off.id, status: 2 })
      const gone = await create({ name: 'gone', refill_quota: 9, refill_period: 'day', remain_quota: 1 })
      await alice.send('DELETE', `/api/token/${gone.id}`)
      const refused = async (): Promise<string> => {
        const answer = await until(async () => {
          const response = await spend(token)
          return response.status === 401 ? response.text : undefined
        })
        return problemIn(chat, answer)?.message ?? ''
      }
      expect([(await spend(token)).status, (await spend(token)).status]).toEqual([200, 200])
      expect(await refused()).toStartWith('该令牌额度已用尽')
      expect(await read(token.id)).toMatchObject({ status: 4, remain_quota: 0, used_quota: 2 * CALL })

      await passDays(1)
      await until(async () => (await spend(token)).status === 200)
      expect(await read(token.id)).toMatchObject({
        ...{ status: 1, remain_quota: CALL, used_quota: 3 * CALL, name: 'spends', refill_period: 'day' },
        refill_at: token.refill_at + DAY,
      })
      expect(await refillsOf(token)).toEqual([
        { ref: `${token.id}:${token.refill_at}`, token_amount: 2 * CALL },
      ])

      // Five days of which nobody saw the ends, and half of a budget that is not carried over.
      await passDays(5)
      await until(async () => (await read(token.id)).refill_at > token.refill_at + DAY)
      expect(await read(token.id)).toMatchObject({
        ...{ status: 1, remain_quota: 2 * CALL, refill_at: token.refill_at + 6 * DAY },
      })
      expect((await refillsOf(token)).map(entry => entry.token_amount)).toEqual([2 * CALL, CALL])
      await until(async () => (await read(off.id)).refill_at === token.refill_at + 6 * DAY)
      expect(await read(off.id)).toMatchObject({ status: 2, remain_quota: 9 })
      expect(await refillsOf(gone)).toEqual([])
      expect(await rig.differences()).toEqual([])
    })

    test('is renewed once for each of many tokens, by whichever machine comes first', async () => {
      const tokens: TokenView[] = []
      for (let at = 0; at < 70; at++)
        tokens.push(
          await create({ name: `many ${at}`, refill_quota: 100, refill_period: 'day', remain_quota: at }),
        )
      for (let day = 1; day <= 2; day++) {
        await passDays(1)
        for (const { id, refill_at } of tokens)
          await until(async () => (await read(id)).refill_at === refill_at + day * DAY)
      }
      for (const [at, token] of tokens.entries()) {
        expect((await refillsOf(token)).map(entry => entry.token_amount)).toEqual([100 - at, 0])
        expect(await read(token.id)).toMatchObject({ remain_quota: 100, status: 1 })
      }
      expect(await rig.differences()).toEqual([])
    })
  },
)
