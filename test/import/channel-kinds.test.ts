import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Client } from '../client.ts'
import { freshDataDir, withProgram } from '../program.ts'
import { type FakeUpstream, startOpenai } from '../upstreams/index.ts'
import { makeOlder, newApi } from './older-database.ts'
import { options, peopleOf, run, tokens } from './older-house.ts'

let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await startOpenai({ key: 'sk-upstream' })
})
afterAll(() => upstream.stop())

test('from new-api: every kind of channel that it has comes along, resellers as OpenAI and plans with their address', async () => {
  const older = join(freshDataDir(), 'one-api.db')
  const of = (id: number, type: number, key: string, base_url = '') => ({
    ...{ id, name: `c${id}`, type, key, base_url, models: `m-${id}`, setting: '', other: '', status: 1 },
    ...{ weight: 0, priority: 0, created_time: 1_700_000_000, test_time: 0, response_time: 0, balance: 0 },
    ...{ balance_updated_time: 0, group: 'default', used_quota: 0, model_mapping: '' },
  })
  await makeOlder('sqlite', older, newApi, {
    users: await peopleOf(),
    tokens,
    options: [...options, { key: 'DefaultModelRatio', value: '1' }],
    channels: [
      ...[6, 7, 9, 10, 12, 13].map(type => of(type, type, 'sk-upstream')),
      of(14, 6, 'sk-upstream', upstream.url),
      of(21, 26, 'k', 'glm-coding-plan'),
      of(22, 26, 'k', 'glm-coding-plan-international'),
      of(23, 25, 'k', 'kimi-coding-plan'),
      of(24, 45, 'k', 'doubao-coding-plan'),
      of(44, 44, 'k'),
      of(46, 46, 'bce-v3/ALTAK-1/2|app-1'),
      { ...of(49, 49, 'pat_1'), other: '7348293334' },
      of(53, 53, 'k'),
      of(56, 56, 'r8_1'),
      of(57, 57, '{"access_token":"a","refresh_token":"","account_id":"1","type":"codex"}'),
      of(58, 58, 'sk-upstream', upstream.url),
      of(59, 59, 'sk-upstream', upstream.url),
      of(60, 60, 'sk-upstream', upstream.url),
    ],
  })
  const environment = { DATA_DIR: freshDataDir() }
  const { code, out } = await run(environment, 'import', older)
  expect([code, out.match(/channel .* left out.*/g)]).toEqual([
    0,
    [
      'channel 58 (c58): left out: it is a list of routes; enter each address that it has as a channel of type Custom',
    ],
  ])
  expect(out).toContain('19 channels')
  await withProgram(environment, async ({ url }) => {
    const root = new Client(url)
    await root.login('root', 'old-root-pass')
    const { data } = (await root.get('/api/channel/?p=0&page_size=50&id_sort=true')).json
    const seen = data.map((one: Record<string, unknown>) => [one.id, one.type, one.base_url, one.status])
    expect(seen.toSorted((a: number[], b: number[]) => (a[0] ?? 0) - (b[0] ?? 0))).toEqual([
      [6, 1, 'https://api.openaimax.com', 1],
      [7, 1, 'https://api.ohmygpt.com', 1],
      [9, 1, 'https://api.caipacity.com', 1],
      [10, 1, 'https://api.aiproxy.io', 1],
      [12, 1, 'https://api.api2gpt.com', 1],
      [13, 1, 'https://api.aigc2d.com', 1],
      [14, 1, upstream.url, 1],
      [21, 26, 'https://open.bigmodel.cn/api/coding/paas/v4', 1],
      [22, 26, 'https://api.z.ai/api/coding/paas/v4', 1],
      [23, 25, 'https://api.kimi.com/coding/v1', 1],
      [24, 45, 'https://ark.cn-beijing.volces.com/api/coding/v3', 1],
      [44, 44, '', 1],
      [46, 46, '', 1],
      [49, 49, '', 1],
      [53, 53, '', 1],
      [56, 56, '', 1],
      [57, 57, '', 1],
      [59, 59, upstream.url, 1],
      [60, 60, upstream.url, 1],
    ])
    for (const id of [14, 59, 60])
      expect([id, (await root.get(`/api/channel/test/${id}`)).json.message]).toEqual([id, ''])
  })
})
