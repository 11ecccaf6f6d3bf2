import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { RedemptionView } from '../../../contract/redemptions.ts'
import type { Rig } from '../../relay/rig.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { openApi, TokenClient } from '../rig-client.ts'

afterAll(dropAll)

describe.each(engines.map(engine => [engine.name, engine] as const))('redemptions on %s', (_name, engine) => {
  let rig: Rig
  let admin: TokenClient
  let user: TokenClient

  beforeAll(async () => {
    rig = await openApi(await engine.freshUrl())
    admin = await TokenClient.of(rig, await rig.addUser({ role: 10 }))
    user = await TokenClient.of(rig, await rig.addUser({ quota: 0 }))
  })
  afterAll(() => rig.close())

  async function create(fields: object): Promise<string[]> {
    const answer = await admin.post('/api/redemption/', { name: 'code', quota: 100, ...fields })
    expect(answer.json.message).toBe('')
    return answer.json.data
  }
  const find = async (keyword: string): Promise<RedemptionView[]> =>
    (await admin.get(`/api/redemption/search?${new URLSearchParams({ keyword })}`)).json.data
  const total = async (): Promise<number> =>
    (await admin.get('/api/redemption/?p=1&page_size=10')).json.data.total
  const newest = async (): Promise<RedemptionView> => (await admin.get('/api/redemption/?p=0')).json.data[0]

  test('codes are made, listed, read and redeemed once', async () => {
    const codes = await create({ count: 3, quota: 250, name: '新年' })
    expect(codes).toHaveLength(3)
    for (const code of codes) expect(code).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(codes).size).toBe(3)
    const row = await newest()
    expect(row).toEqual({
      id: row.id,
      user_id: admin.id,
      key: codes.at(-1) ?? '',
      status: 1,
      name: '新年',
      quota: 250,
      created_time: row.created_time,
      redeemed_time: 0,
      count: 0,
      used_user_id: 0,
      expired_time: 0,
      DeletedAt: null,
    })
    expect((await admin.get(`/api/redemption/${row.id}`)).json.data).toEqual(row)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => user.post('/api/user/topup', { key: row.key })),
    )
    expect(answers.filter(({ json }) => json.success).map(({ json }) => json.data)).toEqual([250])
    expect(await rig.balance(user.id)).toBe(250)
    const used = (await admin.get(`/api/redemption/${row.id}`)).json.data
    expect(used).toMatchObject({ status: 3, used_user_id: user.id })
    expect(used.redeemed_time).toBeGreaterThan(0)
    expect(await rig.differences()).toEqual([])
  })

  test('lists in the old form and in the new', async () => {
    await create({ count: 15, name: 'paged' })
    expect((await admin.get('/api/redemption/')).json.data).toHaveLength(10)
    const second = (await admin.get('/api/redemption/?p=1')).json.data as RedemptionView[]
    const first = (await admin.get('/api/redemption/?p=0')).json.data as RedemptionView[]
    expect((first.at(-1)?.id ?? 0) - (second[0]?.id ?? 0)).toBe(1)
    const paged = (await admin.get('/api/redemption/search?keyword=paged&p=2&page_size=10')).json.data
    expect({ ...paged, items: paged.items.length }).toEqual({ items: 5, total: 15, page: 2, page_size: 10 })
    expect((await admin.get('/api/redemption/?p=0&page_size=20')).json.data).toMatchObject({ page: 1 })
    expect((await admin.get('/api/redemption/search?keyword=paged&p=2&ps=10')).json.data).toEqual(paged)
    const posted = await admin.post('/api/redemption/search', { keyword: 'paged', p: 2, page_size: 10 })
    expect(posted.json.data).toEqual(paged)
    // The old form of a search is all of it, whichever page is named.
    expect((await admin.get('/api/redemption/search?keyword=paged&p=1')).json.data).toHaveLength(15)
  })

  test('search is by id, by how the name begins, literally, or by the whole code', async () => {
    await create({ name: '7% off' })
    await create({ name: '77 off' })
    const names = async (keyword: string): Promise<string[]> => (await find(keyword)).map(({ name }) => name)
    expect(await names('7')).toEqual(['77 off', '7% off', ...(await names('7')).slice(2)])
    expect(await names('7%')).toEqual(['7% off'])
    expect(await names('off')).toEqual([])
    const { id } = await newest()
    expect((await find(String(id))).map(row => row.id)).toContain(id)
    expect(await names('%'.repeat(1000))).toEqual([])
    const [code = ''] = await create({ name: 'by itself' })
    expect(await names(code)).toEqual(['by itself'])
    const asked = { keyword: ` ${code} `, p: 1, page_size: 10 }
    expect((await admin.post('/api/redemption/search', asked)).json.data).toMatchObject({
      ...{ total: 1, items: [{ name: 'by itself', key: code }] },
    })
    // Nobody who knows a part of a code learns the rest.
    expect(await names(code.slice(0, -1))).toEqual([])
    expect((await find('')).length).toBeGreaterThan(2)
  })

  test.each<[object, string]>([
    [{ name: '' }, '兑换码名称长度必须在1-20之间'],
    [{ name: '   ' }, '兑换码名称长度必须在1-20之间'],
    [{ name: 'x'.repeat(21) }, '兑换码名称长度必须在1-20之间'],
    [{ name: '码'.repeat(7) }, '兑换码名称长度必须在1-20之间'],
    [{ name: 'a\0' }, '无效的参数'],
    [{ count: 0 }, '兑换码个数必须大于0'],
    [{ count: -1 }, '兑换码个数必须大于0'],
    [{ count: 101 }, '一次兑换码批量生成的个数不能大于 100'],
    [{ count: 1.5 }, '输入不合法 count'],
    [{ count: '5' }, '输入不合法 count'],
    [{ quota: 0 }, '兑换码额度必须大于0'],
    [{ quota: -5 }, '兑换码额度必须大于0'],
    [{ quota: 0.5 }, '输入不合法 quota'],
    [{ quota: 2 ** 53 }, '输入不合法 quota'],
    [{ quota: Number.MAX_SAFE_INTEGER }, '额度必须是非负整数'],
    [{ quota: '100' }, '输入不合法 quota'],
    [{ quota: null }, '输入不合法 quota'],
    [{ expired_time: 1 }, '过期时间不能早于当前时间'],
    [{ expired_time: -1 }, '过期时间不能早于当前时间'],
    [{ expired_time: 1e12 }, '过期时间不能早于当前时间'],
    [{ expired_time: '1' }, '输入不合法 expired_time'],
  ])('refuses %p', async (fields, message) => {
    const before = await newest()
    const answer = await admin.post('/api/redemption/', { name: 'code', quota: 100, count: 1, ...fields })
    expect(answer.json.success).toBe(false)
    expect(answer.json.message).toStartWith(message)
    expect(await newest()).toEqual(before)
  })

  test('an unused code can be changed, switched off and deleted; a used one is as it was', async () => {
    const [key = ''] = await create({ quota: 70 })
    const { id } = await newest()
    const edited = await admin.put('/api/redemption/', {
      id,
      name: 'better',
      quota: 80,
      status: 3,
      used_user_id: 9,
    })
    expect(edited.json.data).toMatchObject({ id, key, name: 'better', quota: 80, status: 1, used_user_id: 0 })
    const off = await admin.put('/api/redemption/?status_only=true', { id, status: 2, quota: 1 })
    expect(off.json.data).toMatchObject({ status: 2, quota: 80 })
    expect((await user.post('/api/user/topup', { key })).json.message).toBe('兑换失败，该兑换码已被使用')
    await admin.put('/api/redemption/?status_only=true', { id, status: 1 })
    expect((await user.post('/api/user/topup', { key })).json.data).toBe(80)
    for (const [query, body] of [
      ['', { id, quota: 5 }],
      ['?status_only=true', { id, status: 1 }],
    ] as const)
      expect((await admin.put(`/api/redemption/${query}`, body)).json.message).toBe(
        '该兑换码已被使用，无法修改',
      )
    for (const status of [0, 3, '1', undefined])
      expect((await admin.put('/api/redemption/?status_only=1', { id, status })).json.success).toBe(false)

    const [deleted = ''] = await create({})
    const row = await newest()
    expect((await admin.send('DELETE', `/api/redemption/${row.id}/`)).json.success).toBe(true)
    expect((await user.post('/api/user/topup', { key: deleted })).json.message).toBe('兑换失败，无效的兑换码')
    for (const answer of [
      await admin.get(`/api/redemption/${row.id}`),
      await admin.put('/api/redemption/', { id: row.id, quota: 5 }),
      await admin.send('DELETE', `/api/redemption/${row.id}`),
    ])
      expect(answer.json).toEqual({ success: false, message: 'record not found', data: null })
    expect(await rig.differences()).toEqual([])
  })

  test('codes are found by status, and many are deleted at once', async () => {
    const codes = await create({ name: 'sweep', count: 3 })
    const found = async (status: number): Promise<RedemptionView[]> =>
      (await admin.get(`/api/redemption/search?keyword=sweep&status=${status}`)).json.data
    const ids = (await found(1)).map(({ id }) => id)
    expect(ids).toHaveLength(3)
    await user.post('/api/user/topup', { key: codes[0] })
    expect((await found(3)).map(({ used_user_id }) => used_user_id)).toEqual([user.id])
    expect(await found(2)).toEqual([])
    const remove = (body: object, by = admin) => by.post('/api/redemption/batch', body)
    expect((await remove({ ids: [...ids, ids[0], 999_999] })).json.data).toBe(3)
    expect((await remove({ ids })).json.data).toBe(0)
    expect(await find('sweep')).toEqual([])
    expect((await user.post('/api/user/topup', { key: codes[1] })).json.success).toBe(false)
    expect((await remove({ ids: [] })).json.success).toBe(false)
    expect((await remove({ ids }, user)).json.success).toBe(false)
  })

  test('a code is worth nothing from its end on, and can be given another', async () => {
    const now = Math.floor(Date.now() / 1000)
    const [late = '', intime = ''] = await create({ name: 'ends', count: 2, expired_time: now + 3600 })
    const row = await newest()
    expect(row.expired_time).toBe(now + 3600)
    // The clock cannot be set forward: so its end is set back.
    const setBack = (key: string) =>
      rig.store.db
        .updateTable('redemptions')
        .set({ expired_time: now - 1 })
        .where('key', '=', key)
        .execute()
    await setBack(late)
    const [ended] = (await admin.get('/api/redemption/search?keyword=ends&status=4')).json.data
    expect((await admin.get('/api/redemption/search?keyword=ends&status=1')).json.data).toHaveLength(1)
    expect(ended).toMatchObject({ key: late, status: 1 })
    const balance = await rig.balance(user.id)
    expect((await user.post('/api/user/topup', { key: late })).json.message).toBe('兑换失败，该兑换码已过期')
    expect(await rig.balance(user.id)).toBe(balance)
    expect((await user.post('/api/user/topup', { key: intime })).json.data).toBe(100)
    // Used in time is used, not late.
    await setBack(intime)
    expect((await user.post('/api/user/topup', { key: intime })).json.message).toBe(
      '兑换失败，该兑换码已被使用',
    )

    const edit = (fields: object) => admin.put('/api/redemption/', { id: ended.id, ...fields })
    expect((await edit({ expired_time: now - 5 })).json.message).toBe('过期时间不能早于当前时间')
    expect((await edit({ name: 'ends too', expired_time: now - 1 })).json.data.name).toBe('ends too')
    expect((await edit({ expired_time: 0 })).json.data.expired_time).toBe(0)
    expect((await user.post('/api/user/topup', { key: late })).json.data).toBe(100)
    expect(await rig.differences()).toEqual([])
  })

  test('what nobody can redeem any more is deleted at once', async () => {
    const [good = '', late = '', off = ''] = await create({ name: 'swept', count: 3 })
    const table = () => rig.store.db.updateTable('redemptions')
    await table().set({ expired_time: 1 }).where('key', '=', late).execute()
    await table().set({ status: 2 }).where('key', '=', off).execute()
    const before = (await admin.get('/api/redemption/?p=1&page_size=1')).json.data.total
    const { data } = (await admin.send('DELETE', '/api/redemption/invalid')).json
    expect(data).toBeGreaterThanOrEqual(2)
    expect((await admin.get('/api/redemption/?p=1&page_size=1')).json.data.total).toBe(before - data)
    expect((await find('swept')).map(({ key }) => key)).toEqual([good])
    expect((await user.send('DELETE', '/api/redemption/invalid')).json.success).toBe(false)
    expect((await admin.send('DELETE', '/api/redemption/invalid')).json.data).toBe(0)
  })

  test('thousands of them are deleted a portion at a time, and each portion is on record', async () => {
    const { db } = rig.store
    const [key = ''] = await create({ name: 'many', count: 1 })
    const row = await db
      .selectFrom('redemptions')
      .selectAll()
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    const { id: _, ...copied } = { ...row, status: 2 }
    for (let from = 0; from < 4500; from += 500)
      await db
        .insertInto('redemptions')
        .values(Array.from({ length: 500 }, (_none, at) => ({ ...copied, key: `over ${from + at}` })))
        .execute()
    const there = await total()
    expect(there).toBeGreaterThan(4500)
    await create({ count: 3 })
    expect(await total()).toBe(there + 3)
    // One that is far from the newest, and whose like the list need not count again with every page.
    const [old] = await find('over 7')
    expect((await admin.send('DELETE', `/api/redemption/${old?.id}`)).json.success).toBe(true)
    expect(await total()).toBe(there + 2)
    const last = await db
      .selectFrom('audit_records')
      .select(record => record.fn.max('id').as('id'))
      .executeTakeFirstOrThrow()
    expect((await admin.send('DELETE', '/api/redemption/invalid')).json.data).toBe(4499)
    expect(await total()).toBe(there + 3 - 4500)
    expect((await find('many')).map(({ key: left }) => left)).toEqual([key])
    const records = await db.selectFrom('audit_records').select('before').where('id', '>', last.id).execute()
    expect(records.map(({ before }) => JSON.parse(before).count)).toEqual([2000, 2000, 499])
  })

  test('whoever made, changed or deleted codes is on record, the codes are not', async () => {
    const [key = ''] = await create({ count: 2 })
    const rows = await rig.store.db
      .selectFrom('audit_records')
      .selectAll()
      .where('user_id', '=', admin.id)
      .orderBy('id', 'desc')
      .execute()
    expect(rows[0]).toMatchObject({
      action: 'redemption.create',
      after: '{"name":"code","quota":100,"count":2}',
    })
    expect(new Set(rows.map(({ action }) => action))).toEqual(
      new Set(['redemption.create', 'redemption.update', 'redemption.delete']),
    )
    expect(JSON.stringify(rows)).not.toContain(key)
  })
})
