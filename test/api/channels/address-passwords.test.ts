// Passwords and keys in addresses that operators type: shown to nobody again, kept when a form is saved, sent nowhere else.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Client, rootClient } from '../../client.ts'
import { openRig, type Rig } from '../../relay/rig.ts'
import { serveLoopback } from '../../serve-loopback.ts'
import { TokenClient } from '../rig-client.ts'

const WORD = 'w0rd-of-nobody'
const LOST = '渠道地址与代理中的密码未显示，更换主机、用户名或代理时请重新填写'

/** An upstream, and a proxy, that notes who asks. */
let place: ReturnType<typeof Bun.serve>
let asked: { path: string; authorization: string | null; proof: string | null }[] = []
let rig: Rig
let root: Client
let admin: TokenClient

beforeAll(async () => {
  place = serveLoopback(request => {
    const { headers, url } = request
    asked.push({
      path: new URL(url).pathname + new URL(url).search,
      authorization: headers.get('authorization'),
      proof: headers.get('proxy-authorization'),
    })
    return Response.json({ data: [{ id: 'm' }] })
  })
  rig = await openRig(books => books.setOption('GlobalApiRateLimit', '0'))
  root = await rootClient(rig.url)
  admin = await TokenClient.of(rig, await rig.addUser({ role: 10 }))
})
afterAll(async () => {
  // Neither what was answered to administrators nor what was written down has it.
  const records = await rig.store.db.selectFrom('audit_records').select(['before', 'after']).execute()
  expect(JSON.stringify(records)).not.toContain(WORD)
  expect(JSON.stringify(records)).toContain('***')
  expect(rig.program.output()).not.toContain(WORD)
  await rig.close()
  await place.stop(true)
})

const host = () => `127.0.0.1:${place.port}`
const proxy = (at = host()) => `http://me:${WORD}@${at}`
const basic = `Basic ${Buffer.from(`me:${WORD}`).toString('base64')}`

describe('of a channel', () => {
  const settingOf = async (id: number) =>
    JSON.parse(
      (
        await rig.store.db
          .selectFrom('channels')
          .select('setting')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).setting ?? '{}',
    )
  const add = (more: object = {}) =>
    rig.addChannel({
      ...{ type: 1, name: 'by proxy', baseUrl: 'http://upstream.example', key: 'sk-1', models: ['gpt-4o'] },
      ...{ setting: { proxy: proxy(), force_format: true }, ...more },
    })

  test('the proxy is shown without its password, wherever it is shown', async () => {
    const id = await add()
    for (const path of [`/api/channel/${id}`, '/api/channel', '/api/channel/search?keyword=by%20proxy']) {
      const { text } = await admin.get(path)
      expect([path, text.includes(`me:***@${host()}`), text.includes(WORD)]).toEqual([path, true, false])
    }
    const { json, text } = await admin.put('/api/channel/', { id, name: 'by proxy 2' })
    expect([json.success, text.includes(WORD)]).toEqual([true, false])
  })

  test('a form that is saved as it was read keeps it, and so does a copy', async () => {
    const id = await add()
    const { data } = (await admin.get(`/api/channel/${id}`)).json
    expect((await admin.put('/api/channel/', { ...data, name: 'renamed' })).json.success).toBe(true)
    expect(await settingOf(id)).toEqual({ proxy: proxy(), force_format: true })
    const { id: _id, ...view } = data
    const copied = await admin.post('/api/channel/', { ...view, key: String(id), name: 'renamed_copy' })
    expect(await settingOf(copied.json.data.ids[0])).toEqual({ proxy: proxy(), force_format: true })
    // With something else in it changed, too.
    const other = JSON.stringify({ proxy: `http://me:***@${host()}`, force_format: false })
    expect((await admin.put('/api/channel/', { id, setting: other })).json.success).toBe(true)
    expect(await settingOf(id)).toEqual({ proxy: proxy(), force_format: false })
  })

  test('it comes back for its own host and user alone', async () => {
    const id = await add()
    for (const given of [
      'http://me:***@evil.example',
      `http://you:***@${host()}`,
      `socks5://me:***@${host()}`,
    ])
      for (const by of [admin, root])
        for (const more of [{}, { key: 'sk-2' }]) {
          const setting = JSON.stringify({ proxy: given })
          expect((await by.put('/api/channel/', { id, setting, ...more })).json.message).toBe(LOST)
        }
    expect(await settingOf(id)).toEqual({ proxy: proxy(), force_format: true })
    const setting = JSON.stringify({ proxy: `http://me:***@${host()}` })
    const fresh = { type: 1, name: 'new', key: 'sk-3', models: 'gpt-4o', setting }
    expect((await admin.post('/api/channel/', fresh)).json.message).toBe(LOST)
  })

  test('a password in the address goes by no proxy that an administrator chooses, whatever key they enter', async () => {
    const baseUrl = `http://me:${WORD}@upstream.example`
    const id = await add({ baseUrl, setting: {} })
    const setting = JSON.stringify({ proxy: `http://${host()}` })
    for (const more of [
      {},
      { base_url: 'http://me:***@upstream.example' },
      { base_url: 'http://me:***@upstream.example/v2' },
    ])
      expect((await admin.put('/api/channel/', { id, setting, key: 'sk-own', ...more })).json.message).toBe(
        LOST,
      )
    const asking = { id, type: 1, key: 'sk-own', base_url: 'http://me:***@upstream.example', setting }
    expect((await admin.post('/api/channel/fetch_models', asking)).json.message).toBe(LOST)
    expect(asked).toEqual([])
    // Who types it knows it.
    const whole = { base_url: baseUrl }
    expect((await admin.put('/api/channel/', { id, setting, key: 'sk-own', ...whole })).json.success).toBe(
      true,
    )
  })

  test('models are asked for with the passwords that the form does not show, and never with stars', async () => {
    const id = await add({ baseUrl: `http://me:${WORD}@${host()}`, setting: {} })
    const { data } = (await admin.get(`/api/channel/${id}`)).json
    expect(data.base_url).toBe(`http://me:***@${host()}`)
    const ask = (fields: object) =>
      admin.post('/api/channel/fetch_models', { type: 14, key: 'sk-new', base_url: data.base_url, ...fields })
    asked = []
    expect((await ask({})).json.message).toBe(LOST)
    expect((await ask({ id, base_url: `http://you:***@${host()}` })).json.message).toBe(LOST)
    expect((await ask({ id: 999_999 })).json.message).toBe(LOST)
    expect(asked).toEqual([])
    expect((await ask({ id })).json.data).toEqual(['m'])
    expect(asked.map(({ authorization }) => authorization)).toEqual([basic])
    asked = []
    const proxied = await add()
    const { setting } = (await admin.get(`/api/channel/${proxied}`)).json.data
    const by = { id: proxied, type: 1, base_url: 'http://upstream.example', setting }
    expect((await ask(by)).json.data).toEqual(['m'])
    expect(asked.map(({ proof }) => proof)).toEqual([basic])
    asked = []
  })
})

test('of an MCP server: its address, its key in a query, its proxy', async () => {
  const url = `http://me:${WORD}@mcp.example/mcp?apiKey=${WORD}&team=blue`
  const fields = { name: 'tools', url, proxy: proxy(), groups: ['default'], headers: {}, price: 0 }
  const { json: made, text } = await admin.post('/api/mcp_server', fields)
  expect([made.success, text.includes(WORD)]).toEqual([true, false])
  const path = `/api/mcp_server/${made.data.id}`
  for (const at of [path, '/api/mcp_server']) {
    const seen = (await admin.get(at)).text
    expect(seen).toContain('http://me:***@mcp.example/mcp?apiKey=***&team=blue')
    expect([seen.includes(`me:***@${host()}`), seen.includes(WORD)]).toEqual([true, false])
  }
  const row = () => rig.store.db.selectFrom('mcp_servers').select(['url', 'proxy']).executeTakeFirstOrThrow()
  const { id: _id, header_names: _names, created_at: _at, ...view } = made.data
  expect((await admin.put(path, { ...view, note: 'saved again' })).json.success).toBe(true)
  expect(await row()).toEqual({ url, proxy: proxy() })
  const lost = '地址与代理中的密码未显示，更换主机、用户名或代理时请重新填写'
  for (const change of [
    { url: 'http://me:***@evil.example/mcp' },
    { url: 'http://evil.example/mcp?apiKey=***' },
    { proxy: 'http://me:***@evil.example' },
    { proxy: 'http://evil.example' },
    { proxy: 'http://evil.example', headers: { 'x-a': 'b' } },
    { proxy: 'http://evil.example', url: 'http://me:***@mcp.example/v2' },
  ])
    expect([change, (await admin.put(path, change)).json.message]).toEqual([change, lost])
  expect((await admin.post('/api/mcp_server', { ...fields, ...view, name: 'copy' })).json.message).toBe(lost)
  expect(await row()).toEqual({ url, proxy: proxy() })
})

test('of settings', async () => {
  const shownOf = async (key: string) =>
    (await root.get('/api/option/')).json.data.find((one: { key: string }) => one.key === key).value
  const stored = async (key: string) =>
    (
      await rig.store.db
        .selectFrom('options')
        .select('value')
        .where('key', '=', key)
        .executeTakeFirstOrThrow()
    ).value
  await root.saveOption('WorkerUrl', `https://me:${WORD}@worker.example/x?key=${WORD}`)
  expect(await shownOf('WorkerUrl')).toBe('https://me:***@worker.example/x?key=***')
  await root.saveOption('WorkerUrl', 'https://me:***@worker.example/y?key=***')
  expect(await stored('WorkerUrl')).toBe(`https://me:${WORD}@worker.example/y?key=${WORD}`)
  const rule = (url: string) =>
    JSON.stringify([
      {
        ...{ name: 'asks', enabled: false, where: ['input'], groups: [], models: [], action: 'block' },
        looks: { by: 'webhook', url, seconds: 1, otherwise: 'allow', secret: 's3cret' },
      },
    ])
  await root.saveOption('Guards', rule(`https://me:${WORD}@guard.example`))
  const shown = await shownOf('Guards')
  expect(shown).toContain('https://me:***@guard.example')
  // The secret is for its address, which is the same.
  await root.saveOption('Guards', shown)
  expect(await stored('Guards')).toContain(`https://me:${WORD}@guard.example`)
  const pages = [{ categoryName: 'ours', url: `https://me:${WORD}@up.example`, slug: 'all', description: '' }]
  await root.saveOption('UptimeKumaGroups', JSON.stringify(pages))
  expect(await shownOf('UptimeKumaGroups')).toContain('https://me:***@up.example')
  // Of several at one host each keeps its own, whatever it is called.
  const both = [1, 2].map(one => ({ ...pages[0], categoryName: `${one}`, slug: `s${one}` }))
  const [first, second] = [`https://me:${WORD}-1@up.example`, `https://me:${WORD}-2@up.example`]
  const withBoth = both.map((page, at) => ({ ...page, url: [first, second][at] }))
  await root.saveOption('UptimeKumaGroups', JSON.stringify(withBoth))
  const renamed = (await shownOf('UptimeKumaGroups')).replace('"2"', '"renamed"')
  await root.saveOption('UptimeKumaGroups', renamed)
  const kept = JSON.parse(await stored('UptimeKumaGroups')) as { url: string; categoryName: string }[]
  expect(kept.map(({ categoryName, url }) => [categoryName, url])).toEqual([
    ['1', first],
    ['renamed', second],
  ])
  for (const [key, of, value] of [
    ['WorkerUrl', 'Worker 地址', 'https://me:***@evil.example'],
    ['Guards', 'asks', rule('https://me:***@evil.example')],
    [
      'UptimeKumaGroups',
      'ours',
      JSON.stringify(pages.map(page => ({ ...page, url: 'https://me:***@evil.example' }))),
    ],
  ] as const) {
    const { json } = await root.put('/api/option/', { key, value })
    expect([key, json.success, json.message]).toEqual([key, false, `请重新输入密钥：${of}`])
  }
})
