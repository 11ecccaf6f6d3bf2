import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../../client.ts'
import type { Rig } from '../../relay/rig.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { openApi, TokenClient } from '../rig-client.ts'

afterAll(dropAll)

const wanted = {
  type: 1,
  name: 'busy',
  key: 'k-1\nk-2\nk-3\nk-4\nk-5\nk-6',
  models: 'a,b,c',
  group: 'default',
}

describe.each(engines.map(engine => [engine.name, engine] as const))('channels on %s', (_name, engine) => {
  let rig: Rig
  let admin: TokenClient

  beforeAll(async () => {
    rig = await openApi(await engine.freshUrl())
    admin = await TokenClient.of(rig, await rig.addUser({ role: 10 }))
  })
  afterAll(() => rig.close())

  const refusals = (answers: readonly Answer[]): string[] =>
    answers.filter(({ json }) => !json?.success).map(({ status, text }) => `${status} ${text}`)

  test('those that are saved at the same moment are all saved', async () => {
    const ids: number[] = (await admin.post('/api/channel/', wanted)).json.data.ids
    const { length } = ids
    for (let round = 0; round < 10; round++) {
      const saved = ids.flatMap((id, at) => [
        admin.put('/api/channel/', {
          id,
          models: `a,b,${round}-${at}`,
          group: round % 2 ? 'default' : 'vip',
        }),
        admin.post(`/api/channel/copy/${id}`, undefined),
      ])
      expect(refusals(await Promise.all(saved))).toEqual([])
    }
    const rows = await rig.store.db
      .selectFrom('abilities')
      .selectAll()
      .where('channel_id', 'in', ids)
      .execute()
    expect(rows).toHaveLength(3 * length)
    const channels = await rig.store.db.selectFrom('channels').select('id').execute()
    expect(channels).toHaveLength(11 * length)
    expect((await admin.post('/api/channel/fix', undefined)).json.data).toBe(0)
  })

  test('edits, tags and deletions of the same ones do not lock each other out', async () => {
    for (let round = 0; round < 10; round++) {
      const ids: number[] = (await admin.post('/api/channel/', wanted)).json.data.ids
      const changes = ids.flatMap(id => [
        admin.put('/api/channel/', { id, models: 'x,y,z' }),
        admin.post('/api/channel/batch/tag', { ids: [...ids].reverse(), tag: `t${round}` }),
        admin.put('/api/channel/', { id, models: 'u,v,w' }),
        admin.send('DELETE', `/api/channel/${id}`),
      ])
      const told = refusals(await Promise.all(changes)).filter(text => !text.includes('record not found'))
      expect(told).toEqual([])
    }
    expect((await admin.post('/api/channel/fix', undefined)).json.data).toBe(0)
  })
})
