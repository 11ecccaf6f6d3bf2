// Second keys in the headers that operators have sent: shown to nobody again, kept when a form is saved, sent nowhere else.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Client, rootClient } from '../../client.ts'
import { openRig, type Rig } from '../../relay/rig.ts'
import { TokenClient } from '../rig-client.ts'

const WORD = 'w0rd-of-nobody'
const lost = (name: string) =>
  `请求头 ${name} 的值未显示，新增该请求头，或更换渠道的类型、地址、代理时，请重新填写`

const header_override = {
  'X-App-Key': WORD,
  'X-Title': 'everybodys',
  'X-Own-Key': 'Bearer {api_key}',
  'X-Key-Ids': '7',
}
const setToken = (value: string, path = 'X-Gate-Token') => ({ mode: 'set_header', path, value })
const setting = {
  header_override,
  param_override: {
    operations: [setToken(`Bearer ${WORD}`), setToken(`${WORD}-2`), setToken('seen', 'X-Seen')],
  },
}
const shown = {
  header_override: { ...header_override, 'X-App-Key': '***' },
  param_override: { operations: [setToken('***'), setToken('***'), setToken('seen', 'X-Seen')] },
}

let rig: Rig
let root: Client
let admin: TokenClient

beforeAll(async () => {
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
})

const add = () => {
  const seed = { name: 'two keys', key: 'sk-1', models: ['gpt-4o'], baseUrl: 'http://upstream.example' }
  return rig.addChannel({ type: 1, ...seed, setting })
}
const stored = async (id: number) => {
  const row = rig.store.db.selectFrom('channels').select('setting').where('id', '=', id)
  return JSON.parse((await row.executeTakeFirstOrThrow()).setting ?? '{}')
}
const save = async (by: Client | TokenClient, id: number, fields: object) =>
  (await by.put('/api/channel/', { id, ...fields })).json

test('only their names are shown, wherever they are', async () => {
  const id = await add()
  for (const path of [`/api/channel/${id}`, '/api/channel', '/api/channel/search?keyword=two%20keys']) {
    const { text } = await admin.get(path)
    expect([path, text.includes('X-App-Key'), text.includes(WORD)]).toEqual([path, true, false])
  }
  for (const by of [admin, root])
    expect(JSON.parse((await by.get(`/api/channel/${id}`)).json.data.setting)).toEqual(shown)
  const saved = await save(admin, id, { name: 'two keys 2' })
  expect([saved.success, JSON.stringify(saved).includes(WORD)]).toEqual([true, false])
})

test('a form that is saved as it was read keeps them, and so does a copy', async () => {
  const id = await add()
  const { data } = (await admin.get(`/api/channel/${id}`)).json
  expect((await save(admin, id, { ...data, name: 'renamed' })).success).toBe(true)
  expect(await stored(id)).toEqual(setting)
  const { id: _id, ...view } = data
  const copied = await admin.post('/api/channel/', { ...view, key: String(id), name: 'renamed_copy' })
  expect(await stored(copied.json.data.ids[0])).toEqual(setting)
  // With something else changed, too, and one that is typed anew.
  const other = { header_override: { 'x-app-key': '***', 'X-More-Key': `${WORD}-3` }, force_format: true }
  expect((await save(admin, id, { setting: JSON.stringify(other) })).success).toBe(true)
  expect(await stored(id)).toEqual({
    header_override: { 'x-app-key': WORD, 'X-More-Key': `${WORD}-3` },
    force_format: true,
  })
})

test('they come back under their own names alone', async () => {
  const id = await add()
  for (const [given, name] of [
    [{ header_override: { 'X-Other-Key': '***' } }, 'x-other-key'],
    [{ header_override: { 'X-Gate-Token': '***' } }, 'x-gate-token'],
    [{ param_override: { operations: Array(3).fill(setToken('***')) } }, 'x-gate-token'],
  ] as const)
    for (const by of [admin, root])
      expect((await save(by, id, { setting: JSON.stringify(given) })).message).toBe(lost(name))
  expect(await stored(id)).toEqual(setting)
  const fresh = { type: 1, name: 'new', key: 'sk-3', models: 'gpt-4o', setting: JSON.stringify(shown) }
  expect((await admin.post('/api/channel/', fresh)).json.message).toBe(lost('x-app-key'))
})

test('an administrator has them sent nowhere else, whatever key they enter', async () => {
  const id = await add()
  const elsewhere = { key: 'sk-own', base_url: 'http://evil.example' }
  const byProxy = JSON.stringify({ ...shown, proxy: 'http://evil.example' })
  for (const fields of [
    elsewhere,
    { ...elsewhere, setting: JSON.stringify(shown) },
    { key: 'sk-own', setting: byProxy },
    { key: 'sk-own', type: 8 },
  ])
    expect((await save(admin, id, fields)).message).toBe(lost('x-app-key'))
  expect(await stored(id)).toEqual(setting)
  // Who types them knows them; and the super administrator may.
  const typed = JSON.stringify({ header_override: { 'X-App-Key': `${WORD}-own` } })
  expect((await save(admin, id, { ...elsewhere, setting: typed })).success).toBe(true)
  const moved = {
    base_url: 'http://other.example',
    setting: JSON.stringify({ header_override: { 'X-App-Key': '***' } }),
  }
  expect((await save(root, id, moved)).success).toBe(true)
  expect(await stored(id)).toEqual({ header_override: { 'X-App-Key': `${WORD}-own` } })
})
