import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ANY_HTTP } from '../../../contract/pass-through.ts'
import { type Client, rootClient } from '../../client.ts'
import { until } from '../../program.ts'
import { type AnyApi, startAnyApi } from '../../upstreams/start-any-api.ts'
import { requestIdOf } from '../ways.ts'
import { PRICE, passHouse, problemOf } from './pass-house.ts'

const mail = { by: 'kinds', kinds: ['email'] }
const forbidden = { by: 'words', words: ['forbidden'] }
const rule = { enabled: true, where: ['input', 'output'], groups: [], models: ['guarded'] }
const house = passHouse({
  CriticalRateLimit: '0',
  GlobalApiRateLimit: '0',
  LogContentScope: 'all',
  Guards: JSON.stringify([
    { ...rule, name: 'mail', looks: mail, action: 'mask' },
    { ...rule, name: 'words', looks: forbidden, action: 'block' },
  ]),
})

/** An API that takes its key from the query. */
let other: AnyApi
let root: Client

const PREPARED = { type: ANY_HTTP, name: 'any', key: 'k', models: 'echo', group: 'nobodys' }

beforeAll(async () => {
  other = startAnyApi(({ url }) => new URL(url).searchParams.get('token') === other.key)
  root = await rootClient(house.rig.url)
  await house.rig.setOption('GroupRatio', JSON.stringify({ default: 1, vip: 1 }))
  const pass = {
    ...{ key_in: 'query', key_name: 'token', query: false, test_path: '/health?deep=1' },
    ...{ methods: ['GET', 'POST'], paths: ['/v1/open', '/v2/'] },
  }
  await house.rig.addChannel({
    ...{ type: ANY_HTTP, key: other.key, models: ['gift'], setting: { pass } },
    ...{ baseUrl: `${other.url}?version=3`, groups: ['vip'] },
  })
})
afterAll(async () => {
  expect(other.complaints).toEqual([])
  await other.stop()
})

const asVip = (path: string, init: RequestInit = {}) =>
  house.call(`gift${path}`, { ...init, key: house.stranger })

describe('what a channel lets through', () => {
  test('its methods and paths, by whole segments, and no query but its own', async () => {
    await until(async () => (await asVip('/v1/open')).ok)
    const targets: (string | number | undefined)[] = []
    for (const [path, method] of [
      ['/v1/open/x?q=1&TOKEN=mine', 'GET'],
      ['/v2/y', 'POST'],
      ['/v1/opener', 'GET'],
      ['/v2', 'GET'],
      ['/v1/%6fpen', 'GET'],
      ['/v1/open', 'PUT'],
      ['', 'GET'],
    ] as const) {
      const response = await asVip(path, { method })
      targets.push(response.ok ? other.seen.at(-1)?.target : response.status)
    }
    const own = `?version=3&token=${other.key}`
    expect(targets).toEqual([`/base/v1/open/x${own}`, `/base/v2/y${own}`, 403, 403, 403, 403, 403])
    expect(other.seen.at(-1)?.headers.get('authorization')).toBeNull()
    const refused = await problemOf(await asVip('/v9'))
    expect(refused).toMatchObject({ code: 'pass_not_allowed', message: expect.stringContaining('GET /v9') })
  })
})

test('a redirect repeats neither the key nor what the base URL says', async () => {
  await house.rig.addChannel({
    ...{ type: ANY_HTTP, key: other.key, models: ['echo'], baseUrl: `${other.url}?version=3` },
    ...{ groups: ['vip'], setting: { pass: { key_in: 'query', key_name: 'token' } } },
  })
  const ask = () => house.call('echo/redirect/again?q=1', { key: house.stranger })
  const { headers } = await until(async () => {
    const response = await ask()
    return response.status === 302 ? response : undefined
  })
  expect(headers.get('location')).toBe('/pass/echo/redirect/again?q=1&x=1')
})

describe('guards', () => {
  const ask = (path: string, body?: string, type = 'application/json') =>
    house.call(`guarded/it${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body !== undefined && { body, headers: { 'content-type': type } }),
    })

  test('mask what is in queries, JSON, forms and words, and in what comes back', async () => {
    await ask('/x?to=ann%40example.com&n=1')
    expect(house.api.seen.at(-1)?.target).not.toContain('ann')
    expect(house.api.seen.at(-1)?.target).toContain('n=1')
    for (const [body, type] of [
      ['{"url":["ann@example.com"],"n":12345678901234567890}', 'application/json'],
      ['[{"name":"ann@example.com"}]', 'application/vnd.api+json; charset=utf-8'],
      ['to=ann%40example.com&n=1', 'application/x-www-form-urlencoded'],
      ['write to ann@example.com', 'text/plain'],
    ] as const) {
      const response = await ask('/x', body, type)
      expect(response.status).toBe(200)
      const { text = '', headers } = house.api.seen.at(-1) ?? {}
      expect([type, text.includes('ann@'), text.includes('ann%40')]).toEqual([type, false, false])
      expect(headers?.get('content-type')).toBe(type)
    }
    expect(house.api.seen.some(({ text }) => text.includes('12345678901234567890'))).toBe(true)
    // What the API says of its own is read too: it repeats the header.
    const said = await house.call('guarded/it/x', { headers: { 'x-mail': 'ann@example.com' } })
    expect(await said.text()).not.toContain('ann@example.com')
    expect(await house.charged(said)).toBe(PRICE)
  })

  test('refuse what they are to refuse, for nothing', async () => {
    const asked = house.api.seen.length
    const response = await ask('/x', '{"q":"this is forbidden"}')
    expect(await problemOf(response)).toMatchObject({ status: 400, code: 'guard_blocked' })
    expect(house.api.seen.length).toBe(asked)
    const answered = await house.call('guarded/it/x', { headers: { 'x-word': 'forbidden' } })
    expect([answered.status, await house.charged(answered)]).toEqual([400, undefined])
  })

  test('refuse a form of more fields than can be read in a moment, however small it is packed', async () => {
    const asked = house.api.seen.length
    const form = 'application/x-www-form-urlencoded'
    const response = await house.call('guarded/it/x', {
      method: 'POST',
      body: Bun.gzipSync(Buffer.from('a&'.repeat(50_000))),
      headers: { 'content-type': form, 'content-encoding': 'gzip' },
    })
    const problem = await problemOf(response)
    expect(problem).toMatchObject({ status: 400, code: 'guard_blocked' })
    expect(problem.message).toContain('50000')
    expect(house.api.seen.length).toBe(asked)
    expect((await ask('/x', 'a&'.repeat(1000), form)).status).toBe(200)
  })

  test('refuse an answer to what was done, and have it paid', async () => {
    const asked = house.api.seen.length
    const headers = { 'x-word': 'forbidden', 'content-type': 'application/json' }
    const answered = await house.call('guarded/it/x', { method: 'POST', body: '{}', headers })
    expect(await problemOf(answered)).toMatchObject({ status: 400, code: 'guard_blocked' })
    expect([house.api.seen.length, await house.charged(answered)]).toEqual([asked + 1, PRICE])
    expect((await house.rig.logOf(requestIdOf(answered))).details.broke_off).toBe('guard')
  })

  test('let pass what they cannot read, unless that is refused', async () => {
    const bytes = 'ann@example.com'
    expect((await ask('/x', bytes, 'application/octet-stream')).status).toBe(200)
    expect(house.api.seen.at(-1)?.text).toBe(bytes)
    expect((await house.call('guarded/large/10')).status).toBe(200)
    await house.rig.setOption('GuardsRefuseUnread', 'true')
    const refused = await until(async () => {
      const response = await ask('/x', bytes, 'application/octet-stream')
      return response.ok ? undefined : response
    })
    expect(await problemOf(refused)).toMatchObject({ status: 400, code: 'guard_blocked' })
    const answer = await house.call('guarded/large/3000000')
    expect([answer.status, await house.charged(answer)]).toEqual([400, undefined])
    const done = await house.call('guarded/large/3000000', { method: 'DELETE' })
    expect([done.status, await house.charged(done)]).toEqual([400, PRICE])
    expect((await ask('/x', '{"q":1}')).status).toBe(200)
  })

  test('what is asked and answered is kept as it is read', async () => {
    const response = await house.call('echo/a/b?q=1', {
      method: 'POST',
      body: 'words',
      headers: { 'content-type': 'text/plain' },
    })
    await response.text()
    const { json } = await until(async () => {
      const found = await root.get(`/api/log/content/${requestIdOf(response)}`)
      return found.json.success ? found : undefined
    })
    expect(JSON.stringify(json.data)).toContain('POST /a/b?q=1')
  })
})

describe('the operator', () => {
  test('tests whether somebody is there, at no cost, and with the key', async () => {
    const [{ id: own }, , , { id: byQuery }] = (await house.rig.store.db
      .selectFrom('channels')
      .select('id')
      .orderBy('id')
      .execute()) as [{ id: number }, { id: number }, { id: number }, { id: number }]
    const outcome = async (id: number, status?: number) => {
      for (const api of [house.api, other]) api.status = status
      const { json } = await root.get(`/api/channel/test/${id}`)
      for (const api of [house.api, other]) api.status = undefined
      return json.success
    }
    expect([await outcome(own), house.api.seen.at(-1)?.target]).toEqual([true, '/base'])
    expect([await outcome(byQuery), other.seen.at(-1)?.target]).toEqual([
      true,
      `/base/health?version=3&deep=1&token=${other.key}`,
    ])
    for (const [status, isAlive] of [
      ...[[404, true] as const, [403, true] as const, [405, true] as const],
      ...[[401, false] as const, [429, false] as const, [500, false] as const],
    ])
      expect([status, await outcome(own, status)]).toEqual([status, isAlive])
  })

  test('is told what cannot be kept to', async () => {
    const save = async (more: object) => (await root.post('/api/channel', { ...PREPARED, ...more })).json
    const base_url = 'https://api.example/v1'
    expect(await save({})).toMatchObject({ success: false, message: expect.stringContaining('接口地址') })
    expect((await save({ base_url: 'wss://api.example' })).success).toBe(false)
    for (const member of ['methods', 'paths', 'key_name', 'test_path'])
      expect(await save({ base_url, setting: JSON.stringify({ pass: { [member]: 'a b' } }) })).toMatchObject({
        ...{ success: false, message: expect.stringContaining(member) },
      })
    const saved = await save({
      base_url,
      setting: JSON.stringify({ pass: { paths: ['/v1/'], methods: ['GET'] } }),
    })
    expect(saved.success).toBe(true)
    const listed = await root.get(`/api/channel/fetch_models/${saved.data.ids[0]}`)
    expect(listed.json.success).toBe(false)
  })
})
