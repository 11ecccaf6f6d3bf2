import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { channelKeyPlace } from '../../../server/store/sealed-places.ts'
import { type Client, rootClient } from '../../client.ts'
import { openRig, type Rig } from '../../relay/rig.ts'
import { serveLoopback } from '../../serve-loopback.ts'
import { startOpenai } from '../../upstreams/index.ts'
import { TokenClient } from '../rig-client.ts'

const KEY = 'sk-known-to-root-alone'
const AGAIN = '修改渠道的类型、地址或代理时，请重新填写密钥'

/** Notes every credential that reaches it, as someone would who wants other people's keys. */
let trap: ReturnType<typeof Bun.serve>
let caught: string[] = []
let rig: Rig
let root: Client
let admin: TokenClient

beforeAll(async () => {
  trap = serveLoopback(request => {
    caught.push(request.headers.get('authorization') ?? '')
    return Response.json({ data: [{ id: 'm' }] })
  })
  rig = await openRig(books => books.setOption('GlobalApiRateLimit', '0'))
  root = await rootClient(rig.url)
  admin = await TokenClient.of(rig, await rig.addUser({ role: 10 }))
})
afterAll(async () => {
  await rig.close()
  await trap.stop(true)
})

const trapUrl = () => `http://127.0.0.1:${trap.port}`
const addChannel = (setting?: object) =>
  rig.addChannel({
    ...{ type: 1, name: 'guarded', baseUrl: 'http://127.0.0.1:9', key: KEY, models: ['gpt-4o'] },
    ...(setting ? { setting } : {}),
  })
const rowOf = (id: number) =>
  rig.store.db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const keyOf = async (id: number) => rig.store.cipher.open(channelKeyPlace(id), (await rowOf(id)).key_sealed)

/** Everything that makes the gateway show a channel's key to its upstream. */
async function useChannel(by: Client, id: number): Promise<void> {
  for (const what of ['fetch_models', 'test', 'update_balance']) await by.get(`/api/channel/${what}/${id}`)
}

describe('a stored key is not sent to an address that an administrator chooses', () => {
  test('by editing the channel', async () => {
    const id = await addChannel()
    const before = await rowOf(id)
    const changes: object[] = [
      { base_url: trapUrl() },
      { base_url: trapUrl(), key: '' },
      { base_url: trapUrl(), key: '   ' },
      { base_url: `${before.base_url}/elsewhere` },
      { type: 8 },
      { type: '8', base_url: trapUrl() },
      { setting: JSON.stringify({ proxy: trapUrl() }) },
    ]
    for (const change of changes) {
      const { json } = await admin.put('/api/channel/', { id, name: 'renamed', ...change })
      expect([change, json]).toEqual([change, { success: false, message: AGAIN, data: null }])
    }
    const english = await admin.send('PUT', '/api/channel/', {
      body: { id, base_url: trapUrl() },
      headers: { 'accept-language': 'en' },
    })
    expect(english.json.message).toBe(
      'To change the type, address or proxy of a channel, enter its key again',
    )
    expect(await rowOf(id)).toEqual(before)
    await useChannel(admin, id)
    expect(caught).toEqual([])
  })

  test('by copying it', async () => {
    const id = await addChannel()
    const { id: _id, ...view } = (await admin.get(`/api/channel/${id}`)).json.data
    const copy = (fields: object) =>
      admin.post('/api/channel/', { ...view, key: String(id), name: 'guarded_copy', ...fields })
    expect((await copy({ base_url: trapUrl() })).json.message).toBe(AGAIN)
    expect((await copy({ setting: JSON.stringify({ proxy: trapUrl() }) })).json.message).toBe(AGAIN)
    const wrapped = { mode: 'single', channel: { ...view, key: String(id), base_url: trapUrl() } }
    expect((await admin.post('/api/channel/', wrapped)).json.message).toBe(AGAIN)
    // Of another type it is no copy, and what looks like an id is the key itself.
    const [other] = (await copy({ type: 8, base_url: trapUrl() })).json.data.ids
    expect(await keyOf(other)).toBe(String(id))
    const posted = await admin.post(`/api/channel/copy/${id}`, { base_url: trapUrl() })
    expect((await rowOf(posted.json.data.id)).base_url).toBe('http://127.0.0.1:9')
    await useChannel(admin, other)
    expect(caught.filter(seen => seen.includes(KEY))).toEqual([])
    caught = []
  })

  test('by a region that is a host', async () => {
    for (const other of [
      'evil.example/',
      'evil.example#',
      'a.b',
      '{"default":"us-east1","m":"evil.example/"}',
    ]) {
      const fields = { type: 41, name: 'v', key: '{}', models: 'm', other }
      expect((await admin.post('/api/channel/', fields)).json.message).toBe(
        '部署地区只能包含字母、数字和连字符',
      )
    }
  })

  test('by editing its tag, or by asking for models', async () => {
    const id = await addChannel()
    await admin.post('/api/channel/batch/tag', { ids: [id], tag: 'guarded' })
    await admin.put('/api/channel/tag', { tag: 'guarded', priority: 3, base_url: trapUrl(), type: 8 })
    expect(await rowOf(id)).toMatchObject({ type: 1, base_url: 'http://127.0.0.1:9', priority: 3 })
    await admin.post('/api/channel/fetch_models', { id, base_url: trapUrl(), type: 1 })
    await admin.get(`/api/channel/fetch_models/${id}?base_url=${encodeURIComponent(trapUrl())}`)
    await admin.get(`/api/channel/update_balance/${id}?base_url=${encodeURIComponent(trapUrl())}`)
    expect(caught.filter(seen => seen.includes(KEY))).toEqual([])
    caught = []
  })
})

describe('it changes hands as it should', () => {
  test('what stays where it was needs no key, nor does what leads to the vendor itself', async () => {
    const id = await addChannel({ proxy: 'http://127.0.0.1:8' })
    const { json } = await admin.get(`/api/channel/${id}`)
    const put = async (fields: object) => (await admin.put('/api/channel/', { id, ...fields })).json.success
    // The whole form as it was read, and the same address with a slash.
    expect(await put({ ...json.data, name: 'again' })).toBe(true)
    expect(await put({ base_url: 'http://127.0.0.1:9/', type: '1' })).toBe(true)
    expect(await put({ setting: '{"proxy":"http://127.0.0.1:8","force_format":true}' })).toBe(true)
    expect(await put({ setting: '{}', base_url: '' })).toBe(true)
    expect(await keyOf(id)).toBe(KEY)
  })

  test('who enters the key again may choose the address', async () => {
    const id = await addChannel()
    const { json } = await admin.put('/api/channel/', { id, base_url: trapUrl(), key: 'sk-own' })
    expect(json.data.base_url).toBe(trapUrl())
    await useChannel(admin, id)
    expect(caught.length).toBeGreaterThan(0)
    expect(caught.every(seen => seen === 'Bearer sk-own')).toBe(true)
    caught = []
  })

  test('the super administrator, who may see it, may choose as well', async () => {
    const id = await addChannel()
    const { json } = await root.put('/api/channel/', { id, base_url: trapUrl(), type: 8 })
    expect(json.data).toMatchObject({ base_url: trapUrl(), type: 8 })
    expect(await keyOf(id)).toBe(KEY)
  })
})

test('where no call could arrive no channel is made, and none is moved there', async () => {
  const english = { 'accept-language': 'en' }
  const create = (fields: object) =>
    root.post('/api/channel/', { name: 'vain', key: 'sk-1', models: 'm', ...fields }, english)
  const missing = 'Enter the channel’s address'
  const page =
    'platform.moonshot.cn is a page for people to log in at, not an API: enter the address of the API'
  const away = { base_url: 'https://platform.moonshot.cn/console' }
  const front = 'Leave “OPENAI_API_KEY="” out: enter the key alone'
  for (const [fields, message] of [
    [{ type: 3 }, missing],
    [{ type: 3, base_url: ' ' }, missing],
    [{ type: 25, ...away }, page],
    [{ type: 1, key: 'OPENAI_API_KEY="sk-1"' }, front],
    [{ type: 1, key: 'sk-1\nBearer sk-2', mode: 'batch' }, 'Leave “Bearer” out: enter the key alone'],
  ] as const)
    expect((await create(fields)).json).toEqual({ success: false, message, data: null })
  expect((await root.get('/api/channel/search?keyword=vain')).json.data).toEqual([])
  const id = await addChannel()
  const change = async (fields: object) =>
    (await root.send('PUT', '/api/channel/', { body: { id, ...fields }, headers: english })).json.message
  expect(await change({ base_url: '', type: 3 })).toBe(missing)
  expect(await change(away)).toBe(page)
  expect(await change({ key: 'OPENAI_API_KEY="sk-1"' })).toBe(front)
  expect(await keyOf(id)).toBe(KEY)
  const listed = { type: 1, base_url: trapUrl(), key: 'Bearer sk-1', explain: true }
  expect((await root.post('/api/channel/fetch_models', listed, english)).json.message).toContain('“Bearer”')
  expect(caught).toEqual([])
})

test('an address that names one call is refused with what to leave out; one that is in use stays', async () => {
  const call = { base_url: 'https://a.example/v1/chat/completions', models: 'm', name: 'copied', key: 'sk-1' }
  const answer = await root.post('/api/channel/', { ...call, type: 1 }, { 'accept-language': 'en' })
  expect(answer.json).toMatchObject({
    success: false,
    message: 'Leave “/chat/completions” out of the address: the path of each call is put behind it',
  })
  const custom = await root.post('/api/channel/', { ...call, type: 8, models: 'm\r\nn，o\n' })
  const id: number = custom.json.data.ids[0]
  expect(await rowOf(id)).toMatchObject({ base_url: call.base_url, models: 'm,n,o' })
  const bare = await rig.addChannel({ type: 1, baseUrl: call.base_url, key: KEY, models: ['m'] })
  expect(
    (await root.put('/api/channel/', { id: bare, base_url: call.base_url, weight: 2 })).json.success,
  ).toBe(true)
  const changed = await root.put('/api/channel/', { id: bare, base_url: 'https://b.example/v1/messages' })
  expect(changed.json).toMatchObject({ success: false, message: expect.stringContaining('“/messages”') })
  expect((await rowOf(bare)).base_url).toBe(call.base_url)
})

test('OpenAI’s base URL at a vendor that has words of its own is taken as that vendor writes it', async () => {
  const vendor = await startOpenai({ prefix: '/v1beta/openai' })
  for (const type of [1, 8]) {
    const body = {
      ...{ type, name: 'google', key: vendor.key, models: 'gemini-3-pro' },
      base_url: `${vendor.url}/v1beta/openai/`,
    }
    const [id] = (await root.post('/api/channel/', body)).json.data.ids
    expect((await root.get(`/api/channel/test/${id}`)).json).toMatchObject({ success: true, message: '' })
    expect((await root.get(`/api/channel/fetch_models/${id}`)).json.success).toBe(true)
  }
  expect(vendor.requests.map(({ path }) => path)).toEqual([
    ...['/v1beta/openai/chat/completions', '/v1beta/openai/models'],
    ...['/v1beta/openai/chat/completions', '/v1beta/openai/models'],
  ])
  await vendor.stop()
})
