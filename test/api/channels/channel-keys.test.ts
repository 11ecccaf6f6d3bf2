// A key with a sign that no header can carry: from the calls themselves nobody would learn what is wrong.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Rig } from '../../relay/rig.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { openApi, TokenClient } from '../rig-client.ts'

let rig: Rig
let admin: TokenClient
beforeAll(async () => {
  const [engine] = engines
  if (!engine) throw new Error('there is no engine')
  rig = await openApi(await engine.freshUrl())
  admin = await TokenClient.of(rig, await rig.addUser({ role: 10 }))
})
afterAll(async () => {
  await rig.close()
  await dropAll()
})

const wanted = { type: 1, name: 'copied', key: 'sk-good', models: 'm', group: 'default' }
const refused = (sign: string) => ({
  success: false,
  message: `渠道密钥中的“${sign}”无法发送，请重新复制完整的密钥`,
})

test('a new channel is refused for it, and a change and the list of models too, each naming the key', async () => {
  const make = async (fields: object) => (await admin.post('/api/channel/', { ...wanted, ...fields })).json
  const { data } = await make({})
  expect(await make({ key: 'sk-1234…abcd' })).toMatchObject(refused('…'))
  expect(await make({ key: 'sk-one\nｓk-two', mode: 'batch' })).toMatchObject(refused('ｓ'))
  expect(await make({ key: 'sk-1\u200b2' })).toMatchObject(refused('U+200B'))
  const change = { id: data.ids[0], key: '密钥' }
  expect((await admin.put('/api/channel/', change)).json).toMatchObject(refused('密'))
  const asked = { type: 1, base_url: 'https://upstream.example', key: 'sk-1234…abcd', explain: true }
  expect((await admin.post('/api/channel/fetch_models', asked)).json).toMatchObject(refused('…'))
  const english = await admin.post('/api/channel/', { ...wanted, ...change }, { 'accept-language': 'en' })
  expect(english.json.message).toBe(
    'The channel’s key holds “密”, which cannot be sent: copy the whole key again',
  )
})

test('what does not travel in a header may hold anything', async () => {
  const account = JSON.stringify({ client_email: 'a@b', private_key: '–', project_id: '项目' })
  const setting = JSON.stringify({ pass: { key_in: 'query', key_name: 'key' } })
  for (const fields of [
    { type: 41, other: 'us-central1', key: account },
    { type: 1001, base_url: 'https://service.example', setting, key: '密钥' },
  ])
    expect((await admin.post('/api/channel/', { ...wanted, ...fields })).json).toMatchObject({
      success: true,
    })
})
