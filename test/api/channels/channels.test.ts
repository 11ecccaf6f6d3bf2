import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { channelKeyPlace } from '../../../server/store/sealed-places.ts'
import type { Client } from '../../client.ts'
import type { Rig } from '../../relay/rig.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { openApi, TokenClient } from '../rig-client.ts'

afterAll(dropAll)

const wanted = {
  type: 1,
  name: 'main',
  key: 'sk-first-key-000001',
  models: 'gpt-4o,gpt-4o-mini',
  group: 'default',
}

describe.each(engines.map(engine => [engine.name, engine] as const))('channels on %s', (_name, engine) => {
  let rig: Rig
  let admin: Client

  beforeAll(async () => {
    rig = await openApi(await engine.freshUrl())
    admin = await TokenClient.of(rig, await rig.addUser({ role: 10 }))
  })
  afterAll(() => rig.close())

  const create = async (fields: object): Promise<number[]> => {
    const { json } = await admin.post('/api/channel/', { ...wanted, ...fields })
    if (!json.success) throw new Error(json.message)
    return json.data.ids
  }
  const refusal = async (fields: object): Promise<string> => {
    const { json } = await admin.post('/api/channel/', { ...wanted, ...fields })
    return json.success ? 'created' : json.message
  }
  const one = async (id: number): Promise<ChannelView> => (await admin.get(`/api/channel/${id}`)).json.data
  const idsOf = async (path: string): Promise<number[]> =>
    (await admin.get(path)).json.data.map(({ id }: ChannelView) => id)
  const abilities = (id: number) =>
    rig.store.db
      .selectFrom('abilities')
      .selectAll()
      .where('channel_id', '=', id)
      .orderBy('group')
      .orderBy('model')
      .execute()
  const keyOf = async (id: number): Promise<string> => {
    const row = await rig.store.db
      .selectFrom('channels')
      .select(['key_sealed'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return rig.store.cipher.open(channelKeyPlace(id), row.key_sealed)
  }

  test('one is made for each line of the key, each with its own key and abilities', async () => {
    const ids = await create({
      key: ' sk-line-1\n\nsk-line-2 \r\nsk-line-1\nsk-line-3',
      models: ['a', ' b ', 'a', ''],
      groups: ['default', 'vip'],
      group: '',
      base_url: 'https://house.example/v1//',
      priority: '7',
      weight: 3,
      tag: 'lines',
      created_time: null,
      balance: 999,
      status: 3,
      used_quota: 5,
    })
    expect(ids).toHaveLength(3)
    expect(await Promise.all(ids.map(keyOf))).toEqual(['sk-line-1', 'sk-line-2', 'sk-line-3'])
    const [first = 0] = ids
    expect(await one(first)).toMatchObject({
      ...{ key: '', name: 'main', models: 'a,b', group: 'default,vip', base_url: 'https://house.example/v1' },
      ...{ priority: 7, weight: 3, tag: 'lines', status: 1, auto_ban: 1, balance: 0, used_quota: 0 },
      ...{ model_mapping: '', test_model: null, openai_organization: null, other_info: '' },
    })
    const common = { channel_id: first, enabled: 1, priority: 7, weight: 3, tag: 'lines' }
    expect(await abilities(first)).toEqual([
      { ...common, group: 'default', model: 'a' },
      { ...common, group: 'default', model: 'b' },
      { ...common, group: 'vip', model: 'a' },
      { ...common, group: 'vip', model: 'b' },
    ])
  })

  test('what cannot be a channel is refused in the known words', async () => {
    const cases: [object, string][] = [
      [{ name: ' ' }, '请填写渠道名称和渠道密钥！'],
      [{ key: ' \n ' }, '请填写渠道名称和渠道密钥！'],
      [{ models: ' , ' }, '请至少选择一个模型！'],
      [{ type: 9 }, '未知的渠道类型：9'],
      [{ type: 'x' }, '未知的渠道类型：x'],
      [{ models: 'm'.repeat(256) }, `模型名称过长: ${'m'.repeat(100)}…`],
      [{ model_mapping: '{oops' }, '模型映射必须是合法的 JSON 格式！'],
      [{ model_mapping: '["a"]' }, '模型映射必须是合法的 JSON 格式！'],
      [{ status_code_mapping: '7' }, '状态码复写必须是合法的 JSON 格式！'],
      [{ model_mapping: '{"a":5}' }, '模型映射必须是合法的 JSON 格式！'],
      ...['{"400":"abc"}', '{"400":200}', '{"200":"500"}', '{"400":null}', '{"x":"500"}'].map(
        (text): [object, string] => [{ status_code_mapping: text }, '状态码复写必须是合法的 JSON 格式！'],
      ),
      ...[
        'null',
        '{"param_override":"x"}',
        '{"param_override":[]}',
        '{"dialects":"zzz"}',
        '{"dialects":["zzz"]}',
        '{"header_override":{"a":5}}',
        '{"proxy":{}}',
        '{"force_format":"yes"}',
      ].map((text): [object, string] => [{ setting: text }, '渠道额外设置必须是合法的 JSON 格式！']),
      [{ priority: 1.5 }, '优先级必须是整数！'],
      [{ priority: 'high' }, '优先级必须是整数！'],
      [{ weight: -1 }, '权重必须是非负整数！'],
      [{ weight: 1e300 }, '权重必须是非负整数！'],
      [{ base_url: 'file:///etc/passwd' }, '渠道地址必须以 http:// 或 https:// 开头'],
      [{ name: 'n'.repeat(256) }, 'name 过长，最多 255 个字符'],
      [{ groups: ['g'.repeat(65)], group: '' }, 'groups 过长，最多 64 个字符'],
      [{ type: 41, key: '{}' }, '部署地区不能为空'],
      [{ type: 41, key: '{}', other: '{"gemini":"us"}' }, '部署地区必须包含default字段'],
    ]
    for (const [fields, message] of cases) expect([fields, await refusal(fields)]).toEqual([fields, message])
    expect(await refusal({ models: 5 })).toStartWith('输入不合法 models')
    expect(await refusal({ name: { $ne: 1 } })).toStartWith('输入不合法 name')
    const english = await admin.post('/api/channel/', { ...wanted, weight: -1 }, { 'accept-language': 'en' })
    expect(english.json.message).toBe('The weight must be a whole number of 0 or more')
  })

  test('some types fill in what they need, and a service account stays whole', async () => {
    const account = '{\n  "type": "service_account",\n  "private_key": "x"\n}'
    const [vertex = 0, ...more] = await create({ type: 41, key: account, other: 'us-central1' })
    expect(more).toEqual([])
    expect(await keyOf(vertex)).toBe(account)
    const [azure = 0] = await create({ type: 3, key: 'azure-key', base_url: 'https://a.example' })
    expect((await one(azure)).other).toBe('2023-06-01-preview')
    const [spark = 0] = await create({ type: 18, key: 'a|b|c' })
    expect((await one(spark)).other).toBe('v2.1')
    // Taken away, it is what it is without anybody's word.
    await admin.put('/api/channel/', { id: spark, other: 'v4.0' })
    const put = await admin.put('/api/channel/', { id: spark, clear: ['other'] })
    expect(put.json.data.other).toBe('v2.1')
    expect((await admin.put('/api/channel/', { id: vertex, clear: ['other'] })).json.success).toBe(false)
    const [many = 0, ...none] = await create({ mode: 'multi_to_single', key: 'k-1\nk-2' })
    expect([none, await keyOf(many)]).toEqual([[], 'k-1\nk-2'])
    const wrapped = await admin.post('/api/channel/', { mode: 'single', channel: { ...wanted, tag: null } })
    expect(wrapped.json.data.ids).toHaveLength(1)
  })

  test('a change leaves what it does not name, and blanks only what can be blank', async () => {
    const [id = 0] = await create({
      ...{ base_url: 'https://a.example', tag: 'kept', test_model: 'gpt-4o', priority: 5, weight: 6 },
      ...{
        model_mapping: '{"a":"b"}',
        status_code_mapping: '{"400":"500","429":503}',
        setting:
          '{"proxy":"http://p","dialects":["anthropic"],"header_override":{"a":"b"},"param_override":{"a":1},"system_prompt":null,"of_others":[1]}',
        other: 'o',
        openai_organization: 'org',
      },
    })
    const before = await one(id)
    const blank = { key: '', name: '', type: 0, models: '', group: '', other: '', status: 0, setting: '' }
    const answer = await admin.put('/api/channel/', { id, ...blank, base_url: null })
    expect(answer.json.data).toEqual(before)
    expect(await keyOf(id)).toBe(wanted.key)

    const emptied = { base_url: '', weight: 0, priority: 0, auto_ban: 0, tag: '', model_mapping: '' }
    const put = await admin.put('/api/channel/', { id, ...emptied, test_model: '', openai_organization: '' })
    expect(put.json.data).toEqual({
      ...before,
      ...emptied,
      tag: null,
      test_model: null,
      openai_organization: null,
    })
    expect((await abilities(id))[0]).toMatchObject({ priority: 0, weight: 0, tag: null, enabled: 1 })
    const cleared = await admin.put('/api/channel/', { id, clear: ['other'] })
    expect(cleared.json.data).toEqual({ ...put.json.data, other: '' })
    const unknown = await admin.put('/api/channel/', { id, clear: ['name'] })
    expect([unknown.json.success, (await one(id)).name]).toEqual([false, before.name])

    await admin.put('/api/channel/', { id, key: 'sk-new-key', models: 'x', group: 'vip', name: 'renamed' })
    expect(await keyOf(id)).toBe('sk-new-key')
    expect(await abilities(id)).toMatchObject([{ group: 'vip', model: 'x' }])
    expect(await idsOf('/api/channel/search?keyword=sk-new-key')).toEqual([id])
    expect(await idsOf('/api/channel/search?keyword=sk-new')).toEqual([])
    expect((await admin.put('/api/channel/', { id: 999_999, name: 'x' })).json.message).toBe(
      'record not found',
    )
    expect((await admin.put('/api/channel/', { id, priority: 'x' })).json.message).toBe('优先级必须是整数！')
    expect((await admin.put('/api/channel/', { id, priority: '' })).json.data.priority).toBe(0)
  })

  test('a status switches the channel and what it serves; only the server says that it did so by itself', async () => {
    const [id = 0] = await create({})
    const put = async (status: number) => (await admin.put('/api/channel/', { id, status })).json
    expect((await put(2)).data.status).toBe(2)
    expect((await abilities(id)).map(({ enabled }) => enabled)).toEqual([0, 0])
    expect((await put(3)).data.status).toBe(2)
    expect((await put(4)).message).toBe('无效的渠道状态')
    const info = JSON.stringify({ status_reason: 'because', status_time: 5 })
    await rig.store.db
      .updateTable('channels')
      .set({ status: 3, other_info: info })
      .where('id', '=', id)
      .execute()
    expect((await one(id)).other_info).toBe(info)
    expect((await put(1)).data).toMatchObject({ status: 1, other_info: '' })
    expect((await abilities(id)).map(({ enabled }) => enabled)).toEqual([1, 1])
  })

  test('a copy has the real key, whichever way it was asked for', async () => {
    const [id = 0] = await create({ name: 'original', key: 'sk-secret-original', tag: 'copied', weight: 9 })
    const row = await one(id)
    const posted = { ...row, id: null, key: String(id), name: 'original_复制', created_time: null }
    const [copy = 0] = (await admin.post('/api/channel/', posted)).json.data.ids
    expect(await keyOf(copy)).toBe('sk-secret-original')
    expect(await one(copy)).toMatchObject({ name: 'original_复制', tag: 'copied', weight: 9, status: 1 })
    const second = (await admin.post(`/api/channel/copy/${id}?suffix=-2`, undefined)).json.data.id
    expect([await keyOf(second), (await one(second)).name]).toEqual(['sk-secret-original', 'original-2'])
    expect(await abilities(second)).toHaveLength(2)
    // A key that only looks like an id is a key.
    const [other = 0] = await create({ name: 'unrelated', key: String(id) })
    expect(await keyOf(other)).toBe(String(id))
    expect((await admin.post('/api/channel/copy/999999', undefined)).json.message).toBe('record not found')
  })

  test('lists are ordered, paged and searched', async () => {
    await rig.store.db.deleteFrom('channels').execute()
    const ids: number[] = []
    for (let at = 0; at < 25; at++)
      ids.push(
        ...(await create({
          ...{
            name: `ch_${at}%`,
            key: `key-${at}`,
            priority: at % 5,
            models: at === 3 ? 'Only-Me,z' : 'gpt-4o',
          },
          ...{ group: at === 4 ? 'vip,svip' : 'default,sv', tag: at < 4 ? `tag${at % 2}` : '' },
        })),
      )
    const byPriority = [...ids].sort((a, b) => (ids.indexOf(b) % 5) - (ids.indexOf(a) % 5) || b - a)
    expect(await idsOf('/api/channel/?p=0&page_size=10&id_sort=false&tag_mode=false')).toEqual(
      byPriority.slice(0, 10),
    )
    expect(await idsOf('/api/channel?p=1&page_size=20')).toEqual(byPriority.slice(20))
    expect(await idsOf('/api/channel/?p=0&page_size=100&id_sort=true')).toEqual([...ids].reverse())
    const [idle = 0, most = 0, some = 0] = ids
    for (const [id, used_quota] of [
      [most, 2_000_000_000_000],
      [some, 7],
    ] as const)
      await rig.store.db.updateTable('channels').set({ used_quota }).where('id', '=', id).execute()
    const used = await idsOf('/api/channel/?p=0&page_size=100&sort=-used_quota')
    expect([used[0], used[1], used.at(-1)]).toEqual([most, some, idle])
    const leastFirst = await idsOf('/api/channel/search?keyword=ch_&page_size=100&sort=used_quota')
    expect(leastFirst.slice(-2)).toEqual([some, most])
    expect((await admin.get('/api/channel/?sort=key_hash')).json.success).toBe(false)
    expect(await idsOf('/api/channel/')).toHaveLength(10)
    const paged = (await admin.get('/api/channel/?form=paged&p=3&page_size=10&id_sort=true')).json.data
    expect([paged.total, paged.page, paged.page_size, paged.items.length]).toEqual([25, 3, 10, 5])
    expect((await admin.get('/api/channel/?form=paged&p=0')).json.data.page).toBe(1)

    const found = (query: string) => idsOf(`/api/channel/search?id_sort=true&${query}`)
    expect(await found('keyword=ch_1%25')).toEqual([ids[1] ?? 0])
    expect(await found('keyword=%25')).toHaveLength(25)
    expect(await found('keyword=____')).toEqual([])
    expect(await found('keyword=CH_7')).toEqual([ids[7] ?? 0])
    expect(await found(`keyword=${ids[9]}`)).toContain(ids[9] ?? 0)
    expect(await found('keyword=key-12')).toEqual([ids[12] ?? 0])
    expect(await found('model=only-me')).toEqual([ids[3] ?? 0])
    expect(await found('group=svip')).toEqual([ids[4] ?? 0])
    expect(await found('group=sv')).toHaveLength(24)
    expect(await found('group=default&model=gpt&page_size=5&p=1')).toHaveLength(5)
    expect(await found("keyword=' OR 1=1 --")).toEqual([])

    const tags = (await admin.get('/api/channel/?tag_mode=true&page_size=1&p=1')).json.data
    expect(tags.map(({ tag, key }: ChannelView) => [tag, key])).toEqual([
      ['tag1', ''],
      ['tag1', ''],
    ])
    expect(await idsOf('/api/channel/search?tag_mode=true&keyword=ch_2')).toEqual([ids[2] ?? 0, ids[0] ?? 0])
    const counted = (await admin.get('/api/channel/?tag_mode=true&form=paged')).json.data
    expect([counted.total, counted.items.length]).toEqual([2, 4])
    for (const query of ['p=-1', 'p=1e9999', 'page_size=x']) {
      const { json } = await admin.get(`/api/channel/?${query}`)
      expect([query, json.success]).toEqual([query, false])
    }
    expect(await idsOf('/api/channel/?p=999999&page_size=100')).toEqual([])
  })

  test('tags are given, edited, switched and taken away', async () => {
    const ids = await create({ key: 't-1\nt-2\nt-3' })
    const tagged = await admin.post('/api/channel/batch/tag', { ids: [...ids, 999_999], tag: ' team ' })
    expect(tagged.json.data).toBe(3)
    const edit = (fields: object) => admin.put('/api/channel/tag', { tag: 'team', ...fields })
    await edit({ models: 'm1,m2', groups: 'vip', model_mapping: '', priority: 4, weight: '2' })
    for (const id of ids) {
      expect(await one(id)).toMatchObject({
        models: 'm1,m2',
        group: 'vip',
        priority: 4,
        weight: 2,
        tag: 'team',
      })
      expect(await abilities(id)).toMatchObject([
        { group: 'vip', model: 'm1', priority: 4, weight: 2, tag: 'team' },
        { group: 'vip', model: 'm2', priority: 4, weight: 2, tag: 'team' },
      ])
    }
    await admin.post('/api/channel/tag/disabled', { tag: 'team' })
    expect((await one(ids[0] ?? 0)).status).toBe(2)
    expect((await abilities(ids[0] ?? 0)).every(({ enabled }) => enabled === 0)).toBe(true)
    await admin.post('/api/channel/tag/enabled', { tag: 'team' })
    expect((await one(ids[2] ?? 0)).status).toBe(1)
    expect((await abilities(ids[2] ?? 0)).every(({ enabled }) => enabled === 1)).toBe(true)

    expect((await edit({})).json.message).toBe('没有任何修改！')
    expect((await edit({ weight: -3 })).json.message).toBe('权重必须是非负整数！')
    expect((await edit({ model_mapping: '[]' })).json.message).toBe('模型映射必须是合法的 JSON 格式！')
    expect((await admin.put('/api/channel/tag', { tag: ' ' })).json.message).toBe('tag不能为空')
    expect((await admin.post('/api/channel/tag/enabled', {})).json.message).toBe('tag不能为空')
    expect((await admin.post('/api/channel/tag/enabled', { tag: 'x' })).json.message).toBe('record not found')
    expect((await admin.post('/api/channel/batch/tag', { ids: [], tag: 'x' })).json.message).toBe('参数错误')
    expect((await admin.post('/api/channel/batch/tag', { ids, tag: ' ' })).json.message).toBe(
      '标签不能为空！',
    )

    await edit({ new_tag: 'crew' })
    expect((await abilities(ids[1] ?? 0))[0]?.tag).toBe('crew')
    await admin.put('/api/channel/tag', { tag: 'crew', new_tag: '' })
    expect((await one(ids[1] ?? 0)).tag).toBeNull()
    await admin.post('/api/channel/batch/tag', { ids, tag: 'again' })
    await admin.post('/api/channel/batch/tag', { ids: [ids[0]], tag: null })
    expect([(await one(ids[0] ?? 0)).tag, (await one(ids[1] ?? 0)).tag]).toEqual([null, 'again'])
  })

  test('deleting takes what they serve along; the count is true', async () => {
    const ids = await create({ key: 'd-1\nd-2\nd-3\nd-4' })
    const [first = 0, second = 0, third = 0] = ids
    expect((await admin.send('DELETE', `/api/channel/${first}/`)).json.success).toBe(true)
    expect((await admin.send('DELETE', `/api/channel/${first}/`)).json.success).toBe(true)
    expect(await abilities(first)).toEqual([])
    expect((await admin.get(`/api/channel/${first}`)).json.message).toBe('record not found')
    expect((await admin.get('/api/channel/nope')).json.message).toBe('record not found')
    expect((await admin.post('/api/channel/batch', { ids: [second, second, 999_999] })).json.data).toBe(1)
    const many = Array.from({ length: 10_000 }, (_, at) => 1_000_000 + at)
    expect((await admin.post('/api/channel/batch', { ids: many })).json.data).toBe(0)
    expect((await admin.post('/api/channel/batch', { ids: [] })).json.message).toBe('参数错误')
    expect((await admin.post('/api/channel/batch', {})).json.message).toBe('参数错误')
    expect((await admin.post('/api/channel/batch', { ids: ['1'] })).json.message).toStartWith(
      '输入不合法 ids',
    )
    await rig.store.db.updateTable('channels').set({ status: 1 }).execute()
    await admin.put('/api/channel/', { id: third, status: 2 })
    expect((await admin.send('DELETE', '/api/channel/disabled')).json.data).toBe(1)
    expect(await abilities(third)).toEqual([])
    expect((await admin.send('DELETE', '/api/channel/disabled')).json.data).toBe(0)
  })

  test('fixing mends what disagrees and counts only that', async () => {
    await admin.post('/api/channel/fix', undefined)
    const [wrong = 0, missing = 0] = await create({ key: 'f-1\nf-2\nf-3' })
    expect((await admin.post('/api/channel/fix', undefined)).json.data).toBe(0)
    const { db } = rig.store
    await db.updateTable('abilities').set({ enabled: 0 }).where('channel_id', '=', wrong).execute()
    await db.deleteFrom('abilities').where('channel_id', '=', missing).execute()
    const ghost = { group: 'g', model: 'm', enabled: 1, priority: 0, weight: 0, tag: null }
    await db
      .insertInto('abilities')
      .values({ ...ghost, channel_id: 888_888 })
      .execute()
    expect((await admin.post('/api/channel/fix', undefined)).json.data).toBe(3)
    expect(await abilities(888_888)).toEqual([])
    expect(await abilities(missing)).toHaveLength(2)
    expect((await abilities(wrong))[0]?.enabled).toBe(1)
  })

  test('a thousand keys at once are a thousand channels', async () => {
    const keys = Array.from({ length: 1000 }, (_, at) => `bulk-${at}`)
    const ids = await create({ name: 'bulk', key: keys.join('\n'), models: 'a,b,c,d,e,f', tag: 'bulk' })
    expect(ids).toHaveLength(1000)
    expect(await keyOf(ids[999] ?? 0)).toBe('bulk-999')
    expect((await abilities(ids[500] ?? 0)).length).toBe(6)
    await admin.put('/api/channel/tag', { tag: 'bulk', models: 'a,b' })
    expect((await abilities(ids[999] ?? 0)).length).toBe(2)
    expect((await admin.post('/api/channel/batch', { ids })).json.data).toBe(1000)
    const left = await rig.store.db
      .selectFrom('abilities')
      .select('model')
      .where('tag', '=', 'bulk')
      .execute()
    expect(left).toEqual([])
  })
})
