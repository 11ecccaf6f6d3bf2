import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { channelTypes } from '../../../contract/channel-types.ts'
import { codingPlans } from '../../../contract/coding-plans.ts'
import type { Client } from '../../client.ts'
import type { Rig } from '../../relay/rig.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { openApi, TokenClient } from '../rig-client.ts'

const wanted = { type: 1, name: 'main', models: 'gpt-4o', group: 'default' }

describe('what is known of types, models and groups', () => {
  let rig: Rig
  let admin: Client
  let user: Client

  beforeAll(async () => {
    rig = await openApi((await engines[0]?.freshUrl()) ?? '')
    admin = await TokenClient.of(rig, await rig.addUser({ role: 10 }))
    user = await TokenClient.of(rig, await rig.addUser())
  })
  afterAll(async () => {
    await rig.close()
    await dropAll()
  })

  test('all types are named, by the numbers that the family knows', () => {
    expect(channelTypes.map(({ id }) => id)).toEqual([
      ...[1, 2, 3, 4, 5, 8, 11, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 31],
      ...[33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57],
      ...[59, 60, 101, 102, 103, 1001, 1002, 1003, 1004],
    ])
    expect(channelTypes.find(({ id }) => id === 33)?.key.zh).toContain('Ak|Sk|Region')
  })

  test('models come as OpenAI objects, each once, and by type for everyone', async () => {
    const { data } = (await admin.get('/api/channel/models')).json
    const names = data.map(({ id }: { id: string }) => id)
    expect(new Set(names).size).toBe(names.length)
    expect(data.find(({ id }: { id: string }) => id === 'gpt-4o')).toEqual({
      ...{ id: 'gpt-4o', object: 'model', created: 1_626_777_600, owned_by: 'openai' },
      ...{ permission: [], root: 'gpt-4o', parent: null },
    })
    const byType = (await user.get('/api/models')).json.data
    expect(byType['1']).toContain('gpt-4o')
    expect(byType['14'].every((name: string) => names.includes(name))).toBe(true)
    expect(byType['36']).toEqual(['suno_music', 'suno_lyrics'])
    expect((await admin.get('/api/group/')).json.data).toEqual(['default', 'vip', 'svip'])
  })

  test('a page of ten thousand channels reads only its own rows', async () => {
    const { db } = rig.store
    for (const sort of ['priority desc, id desc', 'id desc']) {
      const { rows } = await sql<{
        detail: string
      }>`explain query plan select id from channels order by ${sql.raw(sort)} limit 100 offset 9900`.execute(
        db,
      )
      const plan = rows.map(({ detail }) => detail).join(' ')
      expect(plan).not.toContain('TEMP B-TREE')
      if (sort.startsWith('priority')) expect(plan).toContain('COVERING INDEX channels_priority')
    }
  })

  test('changes stand in the record of changes, without keys', async () => {
    const [id] = (await admin.post('/api/channel/', { ...wanted, key: 'sk-never-recorded-1' })).json.data.ids
    await admin.put('/api/channel/', { id, key: 'sk-never-recorded-2', priority: 3 })
    await admin.send('DELETE', `/api/channel/${id}`)
    const rows = await rig.store.db.selectFrom('audit_records').selectAll().orderBy('id').execute()
    expect(rows.map(({ action }) => action)).toEqual(['channel.create', 'channel.update', 'channel.delete'])
    expect(rows[1]?.after).toContain('"priority":3')
    expect(JSON.stringify(rows)).not.toContain('sk-never-recorded')
  })

  test('the name of a plan for coding becomes its address', async () => {
    const plan = { ...wanted, type: 26, key: 'k', base_url: ' glm-coding-plan ' }
    const [id] = (await admin.post('/api/channel/', plan)).json.data.ids
    const baseUrl = async () => (await admin.get(`/api/channel/${id}`)).json.data.base_url
    expect(await baseUrl()).toBe('https://open.bigmodel.cn/api/coding/paas/v4')
    for (const [name, address] of codingPlans) {
      await admin.put('/api/channel/', { id, base_url: name, key: 'k' })
      expect(await baseUrl()).toBe(address)
    }
    expect((await admin.post('/api/channel/', { ...plan, base_url: 'some-plan' })).json.success).toBe(false)
  })
})
