import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ChannelView } from '../../../contract/channel-view.ts'
import type { Client } from '../../client.ts'
import type { Rig } from '../../relay/rig.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { openApi, TokenClient } from '../rig-client.ts'

afterAll(dropAll)

describe.each(engines.map(engine => [engine.name, engine] as const))('switches on %s', (_name, engine) => {
  let rig: Rig
  let admin: Client
  let ids: number[]

  beforeAll(async () => {
    rig = await openApi(await engine.freshUrl())
    admin = await TokenClient.of(rig, await rig.addUser({ role: 10 }))
    const body = { type: 1, name: 'many', key: 'k-1\nk-2\nk-3', models: 'gpt-4o', group: 'default' }
    ids = (await admin.post('/api/channel/', body)).json.data.ids
  })
  afterAll(() => rig.close())

  const idsBy = async (query: string): Promise<number[]> =>
    (await admin.get(`/api/channel/?id_sort=true&page_size=100&${query}`)).json.data
      .map(({ id }: ChannelView) => id)
      .sort((a: number, b: number) => a - b)
  const serving = async () =>
    (
      await rig.store.db
        .selectFrom('abilities')
        .select('channel_id')
        .where('enabled', '=', 1)
        .orderBy('channel_id')
        .execute()
    ).map(({ channel_id }) => channel_id)
  const set = (body: object) => admin.post('/api/channel/batch/status', body)

  test('many are switched with what they serve, and each call is recorded once', async () => {
    const [first = 0, second = 0, third = 0] = ids
    expect((await set({ ids: [first, second, second, 999_999], enable: false })).json.data).toBe(2)
    expect(await idsBy('status=disabled')).toEqual([first, second])
    expect(await serving()).toEqual([third])
    expect((await set({ ids: [second], enable: true })).json.data).toBe(1)
    expect(await serving()).toEqual([second, third])
    expect((await set({ ids: [], enable: true })).json.message).toBe('参数错误')
    expect((await set({ ids: [999_999], enable: true })).json.data).toBe(0)
    const records = await rig.store.db
      .selectFrom('audit_records')
      .select('after')
      .where('action', '=', 'channel.switch')
      .orderBy('id')
      .execute()
    expect(records.map(({ after }) => JSON.parse(after))).toEqual([
      { status: 2, ids: [first, second], count: 2 },
      { status: 1, ids: [second], count: 1 },
    ])
  })

  test('what disabled itself is found apart, and enabling forgets why', async () => {
    const [first = 0, second = 0] = ids
    await rig.store.db
      .updateTable('channels')
      .set({ status: 3, other_info: '{"status_reason":"401"}' })
      .where('id', '=', second)
      .execute()
    expect(await idsBy('status=auto')).toEqual([second])
    expect(await idsBy('status=disabled')).toEqual([first, second])
    await set({ ids: [first, second], enable: true })
    expect(await idsBy('status=auto')).toEqual([])
    expect((await admin.get(`/api/channel/${second}`)).json.data.other_info).toBe('')
  })
})
