import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { TokenView } from '../../../contract/tokens.ts'
import { until } from '../../program.ts'
import type { Rig } from '../../relay/rig.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { openApi, TokenClient } from '../rig-client.ts'

afterAll(dropAll)

const HOUR = 3600
const now = (): number => Math.floor(Date.now() / 1000)

describe.each(engines.map(engine => [engine.name, engine] as const))('tokens on %s', (_name, engine) => {
  let rig: Rig
  let alice: TokenClient
  let bob: TokenClient

  beforeAll(async () => {
    rig = await openApi(await engine.freshUrl())
    alice = await TokenClient.of(rig, await rig.addUser())
    bob = await TokenClient.of(rig, await rig.addUser({ group: 'svip' }))
  })
  afterAll(() => rig.close())

  const listOf = async (client: TokenClient): Promise<TokenView[]> =>
    (await client.get('/api/token/?p=0&size=100')).json.data

  /** Makes one and finds it: the call itself says nothing about what it made. */
  async function create(client: TokenClient, fields: object): Promise<TokenView> {
    expect((await client.post('/api/token/', fields)).json).toEqual({
      success: true,
      message: '',
      data: null,
    })
    const [newest] = await listOf(client)
    if (!newest) throw new Error('nothing was made')
    return newest
  }

  const models = async (key: string): Promise<number> =>
    (await fetch(`${rig.url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })).status

  test('what is created is listed with its key, which works, and which the database does not hold', async () => {
    const token = await create(alice, {
      name: '  first ',
      remain_quota: 500_000,
      expired_time: now() + HOUR,
      unlimited_quota: false,
      model_limits_enabled: true,
      model_limits: 'gpt-4o, gpt-4o-mini,,gpt-4o',
      allow_ips: ' 127.0.0.1 \n\n10.0.0.0/8\n2001:db8::/32',
      group: 'vip',
      count: 5,
      status: 2,
      used_quota: 77,
      user_id: 1,
      key: 'chosen-by-the-caller',
    })
    expect(token).toMatchObject({
      user_id: alice.id,
      status: 1,
      name: 'first',
      remain_quota: 500_000,
      used_quota: 0,
      unlimited_quota: false,
      model_limits_enabled: true,
      model_limits: 'gpt-4o,gpt-4o-mini',
      allow_ips: '127.0.0.1\n10.0.0.0/8\n2001:db8::/32',
      group: 'vip',
      DeletedAt: null,
    })
    expect(token.key).toMatch(/^[0-9A-Za-z]{48}$/)
    expect(token.accessed_time).toBe(token.created_time)
    expect(await models(token.key)).toBe(200)
    const row = await rig.store.db
      .selectFrom('tokens')
      .selectAll()
      .where('id', '=', token.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(token.key)
    const bare = await create(alice, {})
    expect(bare).toMatchObject({ name: '', remain_quota: 0, expired_time: -1, allow_ips: null, group: '' })
    expect(bare.key).not.toBe(token.key)
  })

  test('one token and its key, for the owner alone', async () => {
    const token = await create(alice, { name: 'mine' })
    expect((await alice.get(`/api/token/${token.id}`)).json.data).toEqual(token)
    expect((await alice.post(`/api/token/${token.id}/key`, undefined)).json.data).toEqual({ key: token.key })
    const absent = { success: false, message: 'record not found', data: null }
    for (const id of [token.id, 987_654, 'x', '1e3', '99999999999999999999']) {
      expect((await bob.get(`/api/token/${id}`)).json).toEqual(absent)
      expect((await bob.post(`/api/token/${id}/key`, undefined)).json).toEqual(absent)
      expect((await bob.send('DELETE', `/api/token/${id}/`)).json).toEqual(absent)
    }
    expect((await bob.put('/api/token/', { id: token.id, name: 'taken' })).json).toEqual(absent)
    expect((await bob.put('/api/token/?status_only=true', { id: token.id, status: 2 })).json).toEqual(absent)
    expect((await alice.get(`/api/token/${token.id}`)).json.data).toEqual(token)
    expect((await listOf(bob)).some(({ id }) => id === token.id)).toBe(false)
  })

  test('lists in the old form and in the new', async () => {
    const carol = await TokenClient.of(rig, await rig.addUser())
    for (let at = 0; at < 12; at++) await carol.post('/api/token/', { name: `n${at}` })
    const names = async (query: string): Promise<string[]> => {
      const { data } = (await carol.get(`/api/token/?${query}`)).json
      return (Array.isArray(data) ? data : data.items).map(({ name }: TokenView) => name)
    }
    expect(await names('')).toHaveLength(10)
    expect(await names('p=1')).toEqual(['n1', 'n0'])
    expect(await names('p=0&size=3')).toEqual(['n11', 'n10', 'n9'])
    expect(await names('p=1&size=5')).toEqual(['n6', 'n5', 'n4', 'n3', 'n2'])
    expect(await names('p=-4&size=-1')).toHaveLength(10)
    const { data } = (await carol.get('/api/token/?p=2&page_size=5')).json
    expect((await carol.get('/api/token/?p=2&ps=5')).json.data).toEqual(data)
    expect({ ...data, items: data.items.length }).toEqual({ items: 5, total: 12, page: 2, page_size: 5 })
    expect(data.items[0].name).toBe('n6')
    expect((await carol.get('/api/token?p=0&page_size=500')).json.data).toMatchObject({
      total: 12,
      page: 1,
      page_size: 100,
    })
    expect((await carol.get('/api/token/?p=9&page_size=10')).json.data).toMatchObject({
      items: [],
      total: 12,
    })
    expect((await carol.get('/api/token/?p=x')).json.success).toBe(false)
  })

  test('search takes names and keys literally', async () => {
    const dora = await TokenClient.of(rig, await rig.addUser())
    const token = await create(dora, { name: '50%_off!' })
    await create(dora, { name: '500 Off' })
    const search = async (query: Record<string, string>): Promise<string[]> => {
      const { data } = (await dora.get(`/api/token/search?${new URLSearchParams(query)}`)).json
      // What stands in the body is no matter of any address.
      expect((await dora.post('/api/token/search', query)).json.data).toEqual(data)
      return data.map(({ name }: TokenView) => name)
    }
    expect(await search({ keyword: '50' })).toEqual(['500 Off', '50%_off!'])
    expect(await search({ keyword: '50%' })).toEqual(['50%_off!'])
    expect(await search({ keyword: '0%_o' })).toEqual(['50%_off!'])
    expect(await search({ keyword: 'f!' })).toEqual(['50%_off!'])
    expect(await search({ keyword: 'OFF' })).toHaveLength(2)
    for (const keyword of ['%'.repeat(1000), '_'.repeat(500), "' or 1=1 --", '\\'])
      expect(await search({ keyword })).toEqual([])
    expect(await search({ token: token.key })).toEqual(['50%_off!'])
    expect(await search({ token: `sk-${token.key}` })).toEqual(['50%_off!'])
    expect(await search({ token: `sk-${token.key.slice(0, 12)}` })).toEqual(['50%_off!'])
    expect(await search({ token: token.key.slice(20, 40), keyword: '50' })).toEqual(['50%_off!'])
    expect(await search({ token: token.key.slice(20, 40), keyword: '500' })).toEqual([])
    expect(await search({ token: `${token.key.slice(0, 47)}%` })).toEqual([])
    expect(await search({ token: 'sk-', keyword: '' })).toHaveLength(2)
    const paged = await dora.get('/api/token/search?keyword=50&token=&p=1&page_size=1')
    expect(paged.json.data).toMatchObject({ total: 2, page: 1, page_size: 1, items: [{ name: '500 Off' }] })
    expect((await alice.get(`/api/token/search?token=${token.key}`)).json.data).toEqual([])
    expect((await dora.get('/api/token/search?keyword=%00')).json.success).toBe(false)
    const posted = await dora.post('/api/token/search', { keyword: '50', p: 1, page_size: 1 })
    expect(posted.json.data).toEqual(paged.json.data)
    expect((await alice.post('/api/token/search', { token: token.key })).json.data).toEqual([])
  })

  test.each<[object, string]>([
    [{ name: '令'.repeat(11) }, '令牌名称过长'],
    [{ name: 'x'.repeat(31) }, '令牌名称过长'],
    [{ name: 'a\0b' }, '无效的参数'],
    [{ name: 7 }, '输入不合法 name'],
    [{ expired_time: -2 }, '过期时间格式错误！'],
    [{ expired_time: 1.5 }, '过期时间格式错误！'],
    [{ expired_time: 2 ** 53 }, '过期时间格式错误！'],
    [{ expired_time: 'tomorrow' }, '过期时间格式错误！'],
    [{ allow_ips: '10.0.0.1\nsomewhere' }, '无效的 IP 地址或网段：somewhere'],
    [{ allow_ips: '10.0.0.0/33' }, '无效的 IP 地址或网段：10.0.0.0/33'],
    [{ allow_ips: '10.0.0.0/' }, '无效的 IP 地址或网段：10.0.0.0/'],
    [{ allow_ips: '::/129' }, '无效的 IP 地址或网段：::/129'],
    [{ allow_ips: 'fe80::1%eth0' }, '无效的 IP 地址或网段：fe80::1%eth0'],
    [{ group: 'svip' }, '无权使用分组 svip'],
    [{ group: 'unheard-of' }, '无权使用分组 unheard-of'],
    [{ group: 'constructor' }, '无权使用分组 constructor'],
    [{ remain_quota: -1 }, '输入不合法 remain_quota'],
    [{ remain_quota: 0.5 }, '输入不合法 remain_quota'],
    [{ remain_quota: 2 ** 53 }, '输入不合法 remain_quota'],
    [{ remain_quota: Number('18446744073686646784') }, '输入不合法 remain_quota'],
    [{ remain_quota: '5' }, '输入不合法 remain_quota'],
    [{ unlimited_quota: 'yes' }, '输入不合法 unlimited_quota'],
    [{ model_limits: ['gpt-4o'] }, '输入不合法 model_limits'],
  ])('refuses %p', async (fields, message) => {
    const before = await listOf(alice)
    const [token] = before
    for (const answer of [
      await alice.post('/api/token/', fields),
      await alice.put('/api/token/', { id: token?.id, ...fields }),
    ]) {
      expect(answer.json.success).toBe(false)
      expect(answer.json.message).toStartWith(message)
    }
    expect(await listOf(alice)).toEqual(before)
  })

  test('refuses a number beyond numbers, and a body that is no object', async () => {
    const before = await listOf(alice)
    for (const body of [
      '{"remain_quota":1e400}',
      '[]',
      '5',
      '"x"',
      '{"__proto__":{"name":"x"},"name":5}',
      '{',
    ])
      expect((await alice.sendText('POST', '/api/token', body)).success).toBe(false)
    expect(await listOf(alice)).toEqual(before)
  })

  test('auto is a group while it has any that the user may use', async () => {
    const groupAuto = (client: TokenClient) => client.post('/api/token/', { name: 'a', group: 'auto' })
    expect((await groupAuto(alice)).json.message).toBe('无权使用分组 auto')
    await rig.setOption('AutoGroups', '["svip"]')
    await until(async () => (await groupAuto(bob)).json.success)
    expect((await groupAuto(alice)).json.message).toBe('无权使用分组 auto')
    await rig.setOption('AutoGroups', '["svip","vip"]')
    await until(async () => (await groupAuto(alice)).json.success)
    await rig.setOption('AutoGroups', '[]')
    await until(async () => !(await groupAuto(alice)).json.success)
  })

  test('a user may use the group they are in, and texts come in the language asked for', async () => {
    expect((await create(bob, { group: 'svip' })).group).toBe('svip')
    const english = await alice.send('POST', '/api/token', {
      body: { group: 'svip' },
      headers: { 'accept-language': 'en' },
    })
    expect(english.json.message).toBe('You may not use group svip')
  })

  test('an edit sets what it names and keeps the rest; budgets are in the books', async () => {
    const { id } = await create(alice, { name: 'edited', remain_quota: 1000, allow_ips: '127.0.0.1' })
    const edit = async (fields: object): Promise<TokenView> => {
      const answer = await alice.put('/api/token/', { id, ...fields })
      expect(answer.json.message).toBe('')
      return answer.json.data
    }
    expect(await edit({ name: 'renamed', status: 2, used_quota: 5, user_id: bob.id })).toMatchObject({
      name: 'renamed',
      remain_quota: 1000,
      status: 1,
      used_quota: 0,
      user_id: alice.id,
      allow_ips: '127.0.0.1',
    })
    expect(await edit({ remain_quota: 250, allow_ips: null })).toMatchObject({
      remain_quota: 250,
      allow_ips: '127.0.0.1',
    })
    expect(await edit({ allow_ips: '', unlimited_quota: true })).toMatchObject({
      remain_quota: 250,
      allow_ips: null,
      unlimited_quota: true,
    })
    expect(await edit({ remain_quota: 1_000_000_000_000_000 })).toMatchObject({
      remain_quota: 1_000_000_000_000_000,
    })
    expect(await edit({})).toMatchObject({ name: 'renamed' })
    await Promise.all(Array.from({ length: 10 }, (_, at) => edit({ remain_quota: at * 100 })))
    const entries = await rig.store.db
      .selectFrom('ledger_entries')
      .select(['kind', 'user_id', 'user_amount', 'token_amount'])
      .where('token_id', '=', id)
      .execute()
    const [last] = (await listOf(alice)).filter(token => token.id === id)
    expect(entries.every(({ kind, user_amount }) => kind === 'budget' && user_amount === 0)).toBe(true)
    expect(entries.reduce((sum, entry) => sum + entry.token_amount, 0)).toBe(last?.remain_quota ?? -1)
    expect(await rig.differences()).toEqual([])
  })

  test('one whose time has passed or that has nothing left says so, and is itself again when mended', async () => {
    const said = async (id: number): Promise<number[]> => {
      const listed = (await listOf(alice)).find(token => token.id === id)
      const searched = (await alice.get('/api/token/search?keyword=says')).json.data
      const found = searched.find((token: TokenView) => token.id === id)
      const one: TokenView = (await alice.get(`/api/token/${id}`)).json.data
      return [listed?.status ?? 0, found?.status, one.status]
    }
    const past = await create(alice, { name: 'says past', remain_quota: 5, expired_time: now() - 1 })
    const spent = await create(alice, { name: 'says spent' })
    const free = await create(alice, { name: 'says free', unlimited_quota: true, expired_time: now() + HOUR })
    expect(await said(past.id)).toEqual([3, 3, 3])
    expect(await said(spent.id)).toEqual([4, 4, 4])
    expect(await said(free.id)).toEqual([1, 1, 1])
    expect((await alice.put('/api/token/', { id: past.id, expired_time: -1 })).json.data.status).toBe(1)
    expect((await alice.put('/api/token/', { id: spent.id, remain_quota: 9 })).json.data.status).toBe(1)
    expect(await said(past.id)).toEqual([1, 1, 1])
    await alice.put('/api/token/', { id: past.id, expired_time: now() - 1 })
    const off = await alice.put('/api/token/?status_only=true', { id: past.id, status: 2 })
    expect(off.json.data.status).toBe(2)
  })

  test('enabling is refused while a token is expired or used up', async () => {
    const { id } = await create(alice, { remain_quota: 5, expired_time: now() - HOUR })
    const setStatus = (status: unknown) =>
      alice.put('/api/token/?status_only=true', { id, status, name: 'no' })
    const setRow = (status: number) =>
      rig.store.db.updateTable('tokens').set({ status }).where('id', '=', id).execute()
    await setRow(3)
    const expired = '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期'
    expect((await setStatus(1)).json.message).toBe(expired)
    const later = await alice.put('/api/token/', { id, expired_time: -1, remain_quota: 0 })
    expect(later.json.data).toMatchObject({ status: 3, expired_time: -1, remain_quota: 0 })
    const exhausted = '令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度'
    for (const status of [3, 4]) {
      await setRow(status)
      expect((await setStatus(1)).json.message).toBe(exhausted)
    }
    await alice.put('/api/token/', { id, unlimited_quota: true })
    expect((await setStatus(1)).json.data).toMatchObject({ status: 1, name: '' })
    expect((await setStatus(2)).json.data).toMatchObject({ status: 2 })
    for (const status of [0, 3, 4, 5, -1, 1.5, '1', undefined])
      expect((await setStatus(status)).json.success).toBe(false)
  })

  test('what is disabled or deleted is refused at the next request', async () => {
    const { id, key } = await create(alice, { unlimited_quota: true })
    expect(await models(key)).toBe(200)
    await alice.put('/api/token/?status_only=true', { id, status: 2 })
    expect(await models(key)).toBe(401)
    await alice.put('/api/token/?status_only=true', { id, status: 1 })
    expect(await models(key)).toBe(200)
    expect((await alice.send('DELETE', `/api/token/${id}/`)).json).toEqual({
      success: true,
      message: '',
      data: null,
    })
    expect(await models(key)).toBe(401)
    expect((await alice.get(`/api/token/${id}`)).json.message).toBe('record not found')
    expect((await alice.send('DELETE', `/api/token/${id}/`)).json.message).toBe('record not found')
    expect((await listOf(alice)).some(token => token.id === id)).toBe(false)
    expect((await alice.get(`/api/token/search?token=${key}`)).json.data).toEqual([])
    expect(await rig.differences()).toEqual([])
  })

  test('several are deleted at once: the owner’s own, each counted once', async () => {
    const made = [
      await create(alice, { remain_quota: 700 }),
      await create(alice, { unlimited_quota: true }),
      await create(alice, { unlimited_quota: true }),
    ]
    const [one, two, kept] = made.map(({ id }) => id)
    const foreign = await create(bob, { unlimited_quota: true })
    const drop = async (ids: unknown) => (await alice.post('/api/token/batch/', { ids })).json
    expect(await drop([two, one, two, foreign.id, 987_654])).toEqual({ success: true, message: '', data: 2 })
    expect(await Promise.all([...made, foreign].map(({ key }) => models(key)))).toEqual([401, 401, 200, 200])
    expect((await listOf(alice)).map(({ id }) => id)).toContain(kept ?? 0)
    expect(await drop([one, two])).toMatchObject({ success: true, data: 0 })
    expect(await drop([])).toMatchObject({ success: false, message: '参数错误' })
    expect((await drop('all')).success).toBe(false)
    expect(await rig.differences()).toEqual([])
  })

  test('no key was printed', async () => {
    const keys = (await listOf(alice)).map(({ key }) => key)
    expect(keys).not.toEqual([])
    expect(keys.filter(key => rig.program.output().includes(key))).toEqual([])
  })
})
