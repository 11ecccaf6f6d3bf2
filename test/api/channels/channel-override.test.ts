import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Client } from '../../client.ts'
import { freshDataDir } from '../../program.ts'
import type { Rig } from '../../relay/rig.ts'
import { openApi, TokenClient } from '../rig-client.ts'

const wanted = { type: 1, name: 'main', key: 'sk-first-key-000001', models: 'gpt-4o', group: 'default' }

let rig: Rig
let admin: Client
beforeAll(async () => {
  rig = await openApi(`sqlite:${freshDataDir()}/tollgate.db`)
  admin = await TokenClient.of(rig, await rig.addUser({ role: 10 }))
})
afterAll(() => rig.close())

const good = { mode: 'set', path: 'temperature', value: 0.5 }
const save = async (setting: object, language = 'zh') => {
  const body = { ...wanted, setting: JSON.stringify(setting) }
  return (await admin.post('/api/channel/', body, { 'accept-language': language })).json
}
const withOperation = (operation: unknown) => ({ param_override: { operations: [good, operation] } })

test.each<[object, string, string]>([
  [
    withOperation({ mode: 'explode' }),
    'param_override：operations[1].mode 不支持 explode',
    'param_override: operations[1].mode is no known mode: explode',
  ],
  [
    withOperation({ mode: 'set', path: 'user' }),
    'param_override：operations[1].value 缺失、过长或类型不正确',
    'param_override: operations[1].value is missing, too long or of the wrong kind',
  ],
  [
    withOperation({ mode: 'set', path: '__proto__.x', value: 1 }),
    'param_override：operations[1].path 不是可用的路径或请求头 __proto__.x',
    'param_override: operations[1].path is no path or header that can be used: __proto__.x',
  ],
  [
    withOperation({ mode: 'set', path: 'stream', value: true }),
    'param_override：operations[1].path 不能这样修改 stream，计费以它为准；更换模型请用模型映射',
    'param_override: operations[1].path cannot change stream like this, because prices depend on it; for models there is the model mapping',
  ],
  [
    withOperation({ mode: 'regex_replace', path: 'user', from: 'a)' }),
    'param_override：operations[1].from 不是可用的正则表达式，问题在于 )',
    'param_override: operations[1].from is no regular expression that can be used, because of )',
  ],
  [
    { param_override: { operations: Array(65).fill(good) } },
    'param_override：operations 最多 64 项',
    'param_override: operations has too many entries, 64 is the most',
  ],
  [
    { param_override: { operations: [good], temperature: 1 } },
    'param_override：operations 旁不能有其他字段 temperature',
    'param_override: temperature cannot stand beside operations',
  ],
  [
    { header_override: { 're:(': '' } },
    'header_override：re:( 不是可用的请求头或正则表达式',
    'header_override: re:( is no header or regular expression that can be used',
  ],
])('what cannot be obeyed is not saved: %j', async (setting, zh, en) => {
  expect((await save(setting)).message).toBe(zh)
  expect((await save(setting, 'en')).message).toBe(en)
})

test('what can be is saved as it was written, on a new channel and an old one', async () => {
  const setting = {
    ...{ ...withOperation({ mode: 'delete', path: 'user' }), thinking_to_content: true },
    header_override: { '*': '', 're:^x-': '', 'X-A': '{api_key}' },
  }
  const created = await save(setting)
  const id = created.data.ids[0]
  expect(JSON.parse((await admin.get(`/api/channel/${id}`)).json.data.setting)).toEqual(setting)
  const wrong = { id, setting: JSON.stringify(withOperation({ mode: 'explode' })) }
  expect((await admin.put('/api/channel/', wrong)).json.message).toContain('operations[1].mode')
  expect(JSON.parse((await admin.get(`/api/channel/${id}`)).json.data.setting)).toEqual(setting)
  expect((await save({ thinking_to_content: 'yes' })).message).toBe('渠道额外设置必须是合法的 JSON 格式！')
})

test('a test of the channel tells what its operator would say', async () => {
  const created = await save(withOperation({ mode: 'return_error', value: 'Closed today.' }))
  const { json } = await admin.get(`/api/channel/test/${created.data.ids[0]}`)
  expect([json.success, json.message]).toEqual([false, 'Closed today.'])
})
