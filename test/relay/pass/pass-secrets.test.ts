import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ANY_HTTP } from '../../../contract/pass-through.ts'
import { type Client, rootClient } from '../../client.ts'
import { until } from '../../program.ts'
import { serveLoopback } from '../../serve-loopback.ts'
import { type AnyApi, startAnyApi } from '../../upstreams/start-any-api.ts'
import { passHouse } from './pass-house.ts'

// What an operator keeps for himself: keys that an API repeats, and the password in an address.

const house = passHouse({ CriticalRateLimit: '0', GlobalApiRateLimit: '0' })
const PASSWORD = 'a-long-pass-word'
const proof = `Basic ${Buffer.from(`reader:${PASSWORD}`).toString('base64')}`

let root: Client
/** An API that is proved to by the address alone. */
let guarded: AnyApi
let address = ''
let channelId = 0

beforeAll(async () => {
  guarded = startAnyApi(({ headers }) => headers.get('authorization') === proof)
  address = guarded.url.replace('http://', `http://reader:${PASSWORD}@`)
  root = await rootClient(house.rig.url)
  channelId = await house.channel({
    ...{ models: ['gift'], groups: ['vip'], baseUrl: address, key: 'none' },
    setting: { pass: { key_in: 'none' } },
  })
})
afterAll(() => guarded.stop())

const asVip = (path: string, init: RequestInit = {}) =>
  house.call(`gift/${path}`, { ...init, key: house.stranger })

describe('a key that an API repeats in a good answer', () => {
  test('is not in it, whole or as a flow', async () => {
    const said = await (await house.call('echo/x')).text()
    expect(said).not.toContain(house.api.key)
    expect(said).toContain(`Bearer ${'*'.repeat(house.api.key.length)}`)
    const { key } = house.api
    const calling = house.call('events/events')
    await until(() => house.api.isListenedTo())
    house.api.tell(`data: ${key.slice(0, 9)}`)
    const reader = (await calling).body?.pipeThrough(new TextDecoderStream()).getReader()
    if (!reader) throw new Error('nothing flows')
    let text = (await reader.read()).value ?? ''
    expect(text).toBe('data: ')
    house.api.tell(`${key.slice(9)} any\n\n`)
    house.api.tell(undefined)
    for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value
    expect(text).toBe(`data: ${'*'.repeat(key.length)} any\n\n`)
  })
})

describe('headers of the operator’s, with a second key, that an API repeats', () => {
  const proofs = {
    'X-Application-Key': 'second-key-0123456789',
    'X-Gate-Auth': 'Bearer third/key+0123456789',
  }
  const operations = [{ mode: 'set_header', path: 'X-Signed-Token', value: 'fourth-key-0123456789' }]
  const talker = serveLoopback(request =>
    Response.json(Object.fromEntries(request.headers), { status: Number(request.url.slice(-3)) }),
  )
  afterAll(() => talker.stop(true))

  test('are not in its answers and errors, and what is no secret stays', async () => {
    const header_override = { ...proofs, 'X-Title': 'what-everybody-knows', 'X-Named-Key': '{api_key}' }
    const baseUrl = `http://127.0.0.1:${talker.port}`
    const seed = { groups: ['vip'], baseUrl, key: 'first-key-0123456789' }
    await house.channel({ ...seed, models: ['guarded'], setting: { header_override } })
    await house.channel({ ...seed, models: ['echo'], setting: { param_override: { operations } } })
    for (const [service, secrets] of [
      ['guarded', [...Object.values(proofs), 'third/key+0123456789', 'first-key-0123456789']],
      ['echo', ['fourth-key-0123456789']],
    ] as const)
      for (const status of [200, 400]) {
        const response = await until(async () => {
          const one = await house.call(`${service}/${status}`, { key: house.stranger })
          return one.status === status ? one : undefined
        })
        const said = await response.text()
        for (const secret of secrets) expect(said).not.toContain(secret)
        if (service === 'guarded') expect(said).toContain('what-everybody-knows')
      }
  })
})

describe('a password in the address of a channel', () => {
  test('is told by no answer and no error', async () => {
    const good = await until(async () => {
      const response = await asVip('x')
      return response.ok ? response : undefined
    })
    const said = `${await good.text()} ${JSON.stringify([...good.headers])}`
    expect(guarded.seen.at(-1)?.headers.get('authorization')).toBe(proof)
    for (const secret of [PASSWORD, proof.slice('Basic '.length)]) expect(said).not.toContain(secret)
  })

  test('nor shown to whoever looks after channels, nor noted', async () => {
    const shown = address.replace(PASSWORD, '***')
    const { json } = await root.get(`/api/channel/${channelId}`)
    expect(json.data.base_url).toBe(shown)
    const body = { ...json.data, name: 'renamed' }
    const saved = await root.put('/api/channel', body)
    expect([saved.json.success, saved.json.data.base_url]).toEqual([true, shown])
    const stored = async () =>
      (
        await house.rig.store.db
          .selectFrom('channels')
          .select('base_url')
          .where('id', '=', channelId)
          .executeTakeFirstOrThrow()
      ).base_url
    expect(await stored()).toBe(address)
    const elsewhere = shown.replace('127.0.0.1', 'evil.example')
    const refused = await root.put('/api/channel', { ...body, base_url: elsewhere })
    expect([refused.json.success, await stored()]).toEqual([false, address])
    const moved = await root.put('/api/channel', { ...body, base_url: `${shown}/v2` })
    expect([moved.json.success, await stored()]).toEqual([true, `${address}/v2`])
    const made = { type: ANY_HTTP, name: 'new', key: 'k', models: 'gift', group: 'nobodys' }
    expect((await root.post('/api/channel', { ...made, base_url: shown })).json.success).toBe(false)
    expect((await root.post('/api/channel', { ...made, base_url: address })).json.success).toBe(true)
    const records = await house.rig.store.db.selectFrom('audit_records').selectAll().execute()
    expect(records.length).toBeGreaterThan(1)
    expect(JSON.stringify(records)).not.toContain(PASSWORD)
  })
})

describe('a path that always fails', () => {
  test.each(['429', '500'])('by %s rests for who asks for it, until others meet it too', async status => {
    const model = `fails-${status}`
    const other = await house.rig.addToken({ userId: await house.rig.addUser() })
    for (let time = 0; time < 8; time++) await house.call(`${model}/status/${status}`)
    const asked = house.api.seen.length
    // Who has brought it about waits.
    expect((await house.call(`${model}/x`)).ok).toBe(false)
    expect(house.api.seen.length).toBe(asked)
    expect((await house.call(`${model}/x`, { key: other.key })).status).toBe(200)
    const many = await Promise.all(
      Array.from(
        { length: 3 },
        async () => (await house.rig.addToken({ userId: await house.rig.addUser() })).key,
      ),
    )
    for (const key of many)
      for (let time = 0; time < 8; time++) await house.call(`${model}/status/${status}`, { key })
    const later = house.api.seen.length
    expect((await house.call(`${model}/x`, { key: other.key })).ok).toBe(false)
    expect(house.api.seen.length).toBe(later)
  })
})
