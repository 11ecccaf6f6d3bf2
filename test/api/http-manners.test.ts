import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/index.ts'
import { Client } from '../client.ts'
import { until } from '../program.ts'
import { sendRaw } from '../relay/streams/raw-socket.ts'
import { type House, openHouse } from './sign-in/sign-in-house.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const english = { 'accept-language': 'en' }

describe('HEAD', () => {
  test('changes nothing, wherever GET would', async () => {
    const client = await house.addUser('looker')
    const token = (await client.get('/api/user/token')).json.data
    for (const { path, method, changes } of Object.values<Endpoint>(endpoints)) {
      if (method !== 'GET' || !changes) continue
      const answer = await client.send('HEAD', path.replace(':id', '1'))
      expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, 'GET'])
    }
    expect((await client.get('/api/user/self', { authorization: token })).json.success).toBe(true)
    const self = await new Client(house.program.url).get('/api/user/self', { authorization: token })
    expect(self.json.data.username).toBe('looker')
  })

  test('answers like GET, without a body, where there is only something to see', async () => {
    const client = await house.addUser('looker-2')
    for (const path of ['/api/status', '/api/user/self', '/api/log/self/tail', '/api/docs']) {
      const answer = await client.send('HEAD', path)
      expect([path, answer.status, answer.text]).toEqual([path, 200, ''])
    }
  })
})

describe('pages of any site', () => {
  const paths = ['/api/log/token', '/api/usage/token', '/api/usage/token/']

  test('may ask about a token, and read why not', async () => {
    const { root, program } = house
    await root.post('/api/token/', { name: 'asked', remain_quota: 5, expired_time: -1 })
    const { key } = (await root.get('/api/token/?p=0')).json.data[0]
    for (const path of paths)
      for (const authorization of [`Bearer sk-${key}`, 'Bearer sk-nobody', '']) {
        const headers = { origin: 'https://app.example', ...(authorization && { authorization }) }
        const answer = await fetch(program.url + path, { headers })
        if (authorization.endsWith(key)) expect([path, answer.status]).toEqual([path, 200])
        expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, '*'])
        expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
      }
  })

  test('are told beforehand that they may, and nothing of the kind elsewhere', async () => {
    const ask = (path: string) =>
      fetch(house.program.url + path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        },
      })
    for (const path of paths) {
      const { status, headers } = await ask(path)
      expect([status, headers.get('access-control-allow-headers')]).toEqual([204, 'authorization'])
    }
    const elsewhere = await ask('/api/user/self')
    expect([elsewhere.status, elsewhere.headers.has('access-control-allow-origin')]).toEqual([404, false])
  })
})

test('the playground takes no system access tokens', async () => {
  const client = await house.addUser('player')
  const authorization = (await client.get('/api/user/token')).json.data
  const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }
  const answer = await new Client(house.program.url).post('/pg/chat/completions', body, { authorization })
  expect([answer.status, answer.json.error.code]).toEqual([400, 'access_token_not_supported'])
})

test('what is wrong with a field is said, in the caller’s language', async () => {
  const said = async (headers = {}) =>
    (await house.root.post('/api/user/aff_transfer', { quota: 'many' }, headers)).json.message
  expect(await said()).toBe('输入不合法 quota: 必须是数字')
  expect(await said(english)).toBe('Invalid input: quota: must be a number')
})

test('and so inside the wrapping that newer clients put around a channel', async () => {
  const said = async (channel: unknown, headers = {}) =>
    (await house.root.post('/api/channel/', { mode: 'single', channel }, headers)).json.message
  expect(await said({ name: 7 })).toBe('输入不合法 channel.name: 必须是文本')
  expect(await said({ name: 7 }, english)).toBe('Invalid input: channel.name: must be text')
  expect(await said({ clear: ['key'] }, english)).toBe('Invalid input: channel.clear.0: must be one of other')
  expect(await said('all of it', english)).toBe('Invalid input: channel: must be an object')
})

test('English has no Chinese in it', async () => {
  const { root } = house
  const transfer = (headers = {}) => root.post('/api/user/aff_transfer', { quota: 1 }, headers)
  expect((await transfer(english)).json.message).toBe('Not transferred: the smallest amount is $1.000000')
  expect((await transfer()).json.message).toBe('划转失败 转移额度最小为＄1.000000 额度！')
})

test('whoever has to wait is told for how long', async () => {
  const { root, database, program } = house
  const retryAfter = ({ headers }: { headers: Headers }) => Number(headers.get('retry-after'))
  const guess = () => new Client(program.url).post('/api/user/login', { username: 'nobody', password: 'x' })
  // Each guess takes a while, and what is told of the rest of the window is told by the minute.
  const begin = (key: string, ago: number) =>
    database.exec(`update throttles set window_start = unixepoch() - ${ago} where key like '${key}:%'`)
  for (let at = 0; at < 10; at++) await guess()
  begin('login', 0)
  const first = await guess()
  expect([first.status, first.json.message]).toEqual([429, '登录尝试过多，请在 15 分钟后重试'])
  expect(retryAfter(first)).toBeWithin(840, 901)
  begin('login', 780)
  const second = await guess()
  expect([second.status, second.json.message]).toEqual([429, '登录尝试过多，请在 2 分钟后重试'])
  expect(retryAfter(second)).toBeWithin(60, 121)

  const look = () => root.post('/api/channel/1/key', { password: 'not-this-one' })
  for (let at = 0; at < 10; at++) expect((await look()).status).toBe(403)
  begin('reveal', 0)
  const shown = await look()
  expect([shown.status, shown.json.message]).toEqual([429, '尝试次数过多，请在 15 分钟后重试'])
  expect(retryAfter(shown)).toBeWithin(840, 901)
  begin('reveal', 780)
  const later = await look()
  expect([later.status, later.json.message]).toEqual([429, '尝试次数过多，请在 2 分钟后重试'])
  expect(retryAfter(later)).toBeWithin(60, 121)

  await root.saveOption('CriticalRateLimit', '1')
  await guess()
  begin('critical', 0)
  const critical = await guess()
  await root.saveOption('CriticalRateLimit', '0')
  expect([critical.status, critical.json.message]).toEqual([429, '请求过多，请稍后再试'])
  expect(retryAfter(critical)).toBeWithin(1100, 1201)

  await root.saveOption('GlobalApiRateLimit', '1')
  // From an address of which nothing has been counted yet: the window of the other began with this file.
  const request = 'GET /api/status HTTP/1.1\r\nHost: gate\r\nConnection: close\r\n\r\n'
  const elsewhere = () => sendRaw(program.url, request, { localAddress: '127.0.0.9' })
  expect((await elsewhere()).status).toBe(200)
  const api = await elsewhere()
  expect(api.status).toBe(429)
  expect(Number(/^retry-after: (\d+)/im.exec(api.text)?.[1])).toBeWithin(120, 181)
})

test('who leaves in the middle of what they send is no failure of the program', async () => {
  const { program } = house
  const { hostname, port } = new URL(program.url)
  const answers = async () => (await fetch(`${program.url}/metrics`)).text()
  const head = 'POST /api/user/login HTTP/1.1\r\nHost: gate\r\nContent-Length: 100\r\n\r\n'
  const socket = connect(Number(port), hostname)
  socket.write(`${head}{"username":`)
  await until(async () => /in_flight\S* 2/.test(await answers()))
  socket.destroy()
  await until(async () => /http_requests_total\{[^}]*door="api",status="499"\} 1/.test(await answers()))
  expect(program.output()).not.toContain('a request failed')
})

test('a balancer asks after the node in HTTP/1.0 without naming a host; nobody else gets far so', async () => {
  const bare = async (path: string) =>
    (await sendRaw(house.program.url, `GET ${path} HTTP/1.0\r\n\r\n`)).status
  expect([await bare('/healthz'), await bare('/readyz')]).toEqual([200, 200])
  expect([await bare('/api/status'), await bare('/'), await bare('/v1/models')]).toEqual([400, 400, 400])
})
