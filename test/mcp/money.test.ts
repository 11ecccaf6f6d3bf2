// What calls of tools cost: exactly their price, once, and nothing where there was no answer.

import { afterAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { openRig, type Rig } from '../relay/rig.ts'
import { dropAll, engines } from '../services/databases.ts'
import { addMcpServer, connectClient, openMcpRig, postMcp, textOf } from './house.ts'
import { startMcpUpstream } from './upstream.ts'

const PRICE = 1234
const upstream = startMcpUpstream('sessions')
const modern = startMcpUpstream('modern')

afterAll(async () => {
  await upstream.stop()
  await modern.stop()
  await dropAll()
})

const call = (id: number, name: string, args: object = {}) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: args },
})

async function seedServers(books: Pick<Rig, 'store' | 'setOption'>): Promise<void> {
  await books.setOption('GroupRatio', JSON.stringify({ default: 1, vip: 0.5, dear: 3 }))
  await books.setOption('UserUsableGroups', JSON.stringify({ default: 'd', vip: 'v', dear: 'x' }))
  const groups = ['default', 'vip', 'dear']
  await addMcpServer(books, { name: 'paid', url: upstream.url, price: PRICE, groups })
  await addMcpServer(books, { name: 'fresh', url: modern.url, price: PRICE, groups })
  await addMcpServer(books, { name: 'odd', url: upstream.url, price: 333, groups: ['vip'] })
  // Some of its tools cost something else, one nothing; another is not there any more.
  const toolPrices = { add: 5001, fail: 0, gone: 9 }
  await addMcpServer(books, { name: 'mixed', url: upstream.url, price: PRICE, toolPrices, groups })
  await addMcpServer(books, { name: 'free', url: upstream.url, groups })
  // Nobody listens there.
  await addMcpServer(books, { name: 'away', url: 'http://127.0.0.1:9/mcp', price: PRICE, groups })
}

test.concurrent.each(engines.map(engine => [engine.name, engine] as const))(
  'to the unit, by the group’s ratio, and only for answers (%s)',
  async (_name, engine) => {
    const rig = await openMcpRig(seedServers, { DATABASE_URL: await engine.freshUrl() })
    try {
      const userId = await rig.addUser({ quota: 100_000 })
      const token = await rig.addToken({ userId, budget: 50_000 })
      const vip = await rig.addToken({ userId, group: 'vip' })
      const dear = await rig.addToken({ userId, group: 'dear' })
      let expected = 100_000
      const spend = async (key: string, server: string, message: object) => {
        const answer = await postMcp(`${rig.url}/mcp/${server}`, key, message)
        const requestId = answer.headers.get('x-oneapi-request-id') ?? ''
        const json = await answer.json()
        return { json, requestId, charge: await rig.chargeOf(requestId) }
      }
      const paid = await spend(token.key, 'paid', call(1, 'add', { a: 1, b: 2 }))
      expect([textOf(paid.json.result), paid.charge]).toEqual(['3', PRICE])
      const row = await rig.logOf(paid.requestId)
      expect([row.quota, row.model_name, row.group, row.type]).toEqual([PRICE, 'mcp/paid/add', 'default', 2])
      expect(row.details.model_price).toBe(PRICE / 500_000)
      expected -= PRICE
      expect((await spend(vip.key, 'paid', call(2, 'add', { a: 1, b: 2 }))).charge).toBe(PRICE / 2)
      expect((await spend(dear.key, 'fresh', call(3, 'add', { a: 1, b: 2 }))).charge).toBe(PRICE * 3)
      // 166.5 is rounded once, and up.
      expect((await spend(vip.key, 'odd', call(4, 'add', { a: 1, b: 2 }))).charge).toBe(167)
      expected -= PRICE / 2 + PRICE * 3 + 167
      // A failure of which the tool itself tells is an answer.
      expect((await spend(token.key, 'paid', call(5, 'fail'))).charge).toBe(PRICE)
      expected -= PRICE
      const free = await spend(token.key, 'free', call(6, 'add', { a: 1, b: 2 }))
      expect([textOf(free.json.result), (await rig.logOf(free.requestId)).quota]).toEqual(['3', 0])

      const own = await spend(token.key, 'mixed', call(9, 'add', { a: 1, b: 2 }))
      const ownRow = await rig.logOf(own.requestId)
      expect([own.charge, ownRow.quota, ownRow.model_name]).toEqual([5001, 5001, 'mcp/mixed/add'])
      expect(ownRow.details.model_price).toBe(5001 / 500_000)
      // By whichever name it is called; 2500.5 is rounded once, and up.
      const joined = await postMcp(`${rig.url}/mcp`, vip.key, call(10, 'mixed__add', { a: 1, b: 2 }))
      await joined.json()
      expect(await rig.chargeOf(joined.headers.get('x-oneapi-request-id') ?? '')).toBe(2501)
      const nothing = await spend(token.key, 'mixed', call(11, 'fail'))
      const nothingRow = await rig.logOf(nothing.requestId)
      expect([nothingRow.type, nothingRow.quota, nothingRow.model_name]).toEqual([2, 0, 'mcp/mixed/fail'])
      expect((await spend(token.key, 'mixed', call(12, 'link'))).charge).toBe(PRICE)
      expected -= 5001 + 2501 + PRICE
      // What the server does not know is an error of its, which costs nothing whatever its price was.
      const gone = await spend(token.key, 'mixed', call(13, 'gone'))
      expect(gone.charge).toBeUndefined()
      expect(await rig.logOf(gone.requestId)).toMatchObject({ type: 5, quota: 0 })
      const scarce = await rig.addToken({ userId, budget: 5000 })
      const short = await spend(scarce.key, 'mixed', call(14, 'add', { a: 1, b: 2 }))
      expect(short.json.error.data.code).toBe('pre_consume_token_quota_failed')

      const away = await spend(token.key, 'away', call(7, 'add', { a: 1, b: 2 }))
      expect([away.charge, away.json.error.code]).toEqual([undefined, -32603])
      expect(away.json.error.message).toContain('away')
      expect(JSON.stringify(away.json)).not.toContain('127.0.0.1')
      const failed = await rig.logOf(away.requestId)
      expect([failed.type, failed.quota, failed.model_name]).toEqual([5, 0, 'mcp/away/add'])

      const labels = { 'x-tollgate-labels': 'agent:ops' }
      const named = await postMcp(`${rig.url}/mcp/paid`, token.key, call(9, 'add', { a: 1, b: 2 }), labels)
      const { quota, labels: logged } = await rig.logOf(named.headers.get('x-oneapi-request-id') ?? '')
      expect([quota, logged]).toEqual([PRICE, 'agent:ops'])
      expected -= PRICE
      const wrong = { 'x-tollgate-labels': 'a%00b' }
      const unnamed = await postMcp(`${rig.url}/mcp/paid`, token.key, call(15, 'add', { a: 1, b: 2 }), wrong)
      const told = await rig.logOf(unnamed.headers.get('x-oneapi-request-id') ?? '')
      expect([told.type, told.quota, told.model_name, told.labels]).toEqual([5, 0, 'mcp/paid/add', null])

      const poor = await rig.addToken({ userId, budget: PRICE - 1 })
      const refused = await spend(poor.key, 'paid', call(8, 'count'))
      expect(refused.json.error.data.code).toBe('pre_consume_token_quota_failed')
      // Nobody here can pay for this one, so it never began.
      expect(upstream.begun.count).toBeUndefined()
      expect(refused.charge).toBeUndefined()

      expect(await rig.balance(userId)).toBe(expected)
      expect(await rig.differences()).toEqual([])
    } finally {
      await rig.close()
    }
  },
)

test('a hundred calls at once on a balance for thirty are thirty calls', async () => {
  const rig = await openMcpRig(seedServers)
  try {
    const userId = await rig.addUser({ quota: PRICE * 30 })
    const { key } = await rig.addToken({ userId })
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, id) => {
        const answer = await postMcp(`${rig.url}/mcp/fresh`, key, call(id, 'add', { a: id, b: 0 }))
        return (await answer.json()) as { id: number; result?: { content?: unknown } }
      }),
    )
    const served = answers.filter(({ result }) => result)
    for (const { id, result } of served) expect(textOf(result ?? {})).toBe(String(id))
    expect([served.length, await rig.balance(userId)]).toEqual([30, 0])
    expect(await rig.differences()).toEqual([])
  } finally {
    await rig.close()
  }
})

test('who may spend so much within a while spends no more on tools', async () => {
  const rig = await openMcpRig(seedServers)
  try {
    const userId = await rig.addUser({ quota: 100_000 })
    const limit = { user_id: userId, subject: 'account', member_id: 0, period: 'five-hours' } as const
    await rig.store.db
      .insertInto('spend_limits')
      .values({ ...limit, amount: PRICE * 3 + 1, created_at: 1 })
      .execute()
    const { key } = await rig.addToken({ userId })
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, id) => {
        const answer = await postMcp(`${rig.url}/mcp/fresh`, key, call(id, 'add', { a: id, b: 0 }))
        return (await answer.json()) as { error?: { data: { code: string } } }
      }),
    )
    const refused = answers.flatMap(({ error }) => error?.data.code ?? [])
    expect(refused).toEqual(Array(17).fill('insufficient_user_quota'))
    expect(await rig.balance(userId)).toBe(100_000 - PRICE * 3)
    expect(await rig.differences()).toEqual([])
  } finally {
    await rig.close()
  }
})

test('a call whose process is killed is given back, and the same call again is charged once', async () => {
  const rig = await openMcpRig(seedServers)
  try {
    const userId = await rig.addUser({ quota: 100_000 })
    const { key } = await rig.addToken({ userId })
    const { client } = await connectClient(`${rig.url}/mcp/paid`, key, 'older')
    const begun = upstream.begun.wait ?? 0
    const lost = client.callTool({ name: 'wait', arguments: {} }).then(
      () => 'answered',
      () => 'lost',
    )
    await until(() => (upstream.begun.wait ?? 0) > begun)
    expect(await rig.balance(userId)).toBe(100_000 - PRICE)
    for (const pid of rig.program.workerPids()) process.kill(pid, 'SIGKILL')
    await until(async () => (await rig.balance(userId)) === 100_000)
    upstream.letGo()
    await client.close()
    expect(await Promise.race([lost, 'nothing'])).not.toBe('answered')
    const again = await until(() =>
      postMcp(`${rig.url}/mcp/paid`, key, call(1, 'add', { a: 1, b: 1 })).catch(() => undefined),
    )
    expect(textOf((await again.json()).result)).toBe('2')
    expect(await rig.balance(userId)).toBe(100_000 - PRICE)
    expect(await rig.differences()).toEqual([])
  } finally {
    await rig.close()
  }
})

test('a call that is cancelled, or whose client leaves, costs nothing', async () => {
  const rig = await openMcpRig(seedServers)
  try {
    const userId = await rig.addUser({ quota: 100_000 })
    const { key } = await rig.addToken({ userId })
    for (const kind of ['older', 'modern'] as const) {
      const { client } = await connectClient(`${rig.url}/mcp/paid`, key, kind)
      const begun = upstream.begun.wait ?? 0
      const stop = new AbortController()
      const gone = client
        .callTool({ name: 'wait', arguments: {} }, { signal: stop.signal })
        .catch(() => 'gone')
      await until(() => (upstream.begun.wait ?? 0) > begun)
      stop.abort()
      expect(await gone).toBe('gone')
      await until(async () => (await rig.balance(userId)) === 100_000)
      upstream.letGo()
      await client.close()
    }
    const errors = await until(async () => {
      const rows = await rig.store.db.selectFrom('logs').select(['type', 'quota']).execute()
      return rows.length === 2 ? rows : undefined
    })
    expect(errors).toEqual([
      { type: 5, quota: 0 },
      { type: 5, quota: 0 },
    ])
    expect(await rig.differences()).toEqual([])
  } finally {
    await rig.close()
  }
})

test('who has heard a part of the answer and leaves, or cancels, pays for it', async () => {
  const rig = await openMcpRig(seedServers)
  try {
    const userId = await rig.addUser({ quota: 100_000 })
    const { key } = await rig.addToken({ userId })
    const { client, transport } = await connectClient(`${rig.url}/mcp/paid`, key, 'older')
    const session = { 'mcp-session-id': transport.sessionId ?? '' }
    const hearHalf = async (id: number): Promise<ReadableStreamDefaultReader<Uint8Array>> => {
      const answer = await postMcp(`${rig.url}/mcp/paid`, key, call(id, 'half'), session)
      const reader = answer.body?.getReader()
      if (!reader) throw new Error('no stream')
      let heard = ''
      while (!heard.includes('half of it')) heard += Buffer.from((await reader.read()).value ?? []).toString()
      return reader
    }
    await (await hearHalf(21)).cancel()
    await until(async () => (await rig.balance(userId)) === 100_000 - PRICE)
    const rest = await hearHalf(22)
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 22 } }
    expect((await postMcp(`${rig.url}/mcp/paid`, key, cancelled, session)).status).toBe(202)
    await rest.cancel()
    const rows = await until(async () => {
      const found = await rig.store.db.selectFrom('logs').select(['type', 'quota']).execute()
      return found.length === 2 ? found : undefined
    })
    expect(rows).toEqual(Array(2).fill({ type: 2, quota: PRICE }))
    // Who takes no stream has heard nothing.
    const gone = new AbortController()
    const begun = upstream.begun.half ?? 0
    const whole = fetch(`${rig.url}/mcp/paid`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, accept: 'application/json', ...session },
      body: JSON.stringify(call(23, 'half')),
      signal: gone.signal,
    }).catch(() => 'gone')
    await until(() => (upstream.begun.half ?? 0) > begun)
    await until(async () => (await rig.balance(userId)) === 100_000 - 3 * PRICE)
    gone.abort()
    expect(await whole).toBe('gone')
    await until(async () => (await rig.balance(userId)) === 100_000 - 2 * PRICE)
    upstream.letGo()
    await client.close()
    expect(await rig.differences()).toEqual([])
  } finally {
    await rig.close()
  }
})

test('nothing is written down of calls where the operator keeps no log; they are charged all the same', async () => {
  const rig = await openRig(async books => {
    await seedServers(books)
    await books.setOption('LogConsumeEnabled', 'false')
  })
  try {
    const userId = await rig.addUser({ quota: 100_000 })
    const { key } = await rig.addToken({ userId })
    await (await postMcp(`${rig.url}/mcp/paid`, key, call(1, 'add', { a: 1, b: 1 }))).json()
    expect(await rig.balance(userId)).toBe(100_000 - PRICE)
    expect(await rig.store.db.selectFrom('logs').select('id').execute()).toEqual([])
  } finally {
    await rig.close()
  }
})
