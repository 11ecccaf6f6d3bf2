import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Client, loggedIn } from '../client.ts'
import { freshDataDir, withProgram } from '../program.ts'
import { makeOlder, newApi } from './older-database.ts'
import { peopleOf, run } from './older-house.ts'

test('what the dashboard told comes along, but for entries that could not be saved here', async () => {
  const older = join(freshDataDir(), 'new-api.db')
  const told = {
    'console_setting.api_info_enabled': 'false',
    'console_setting.api_info': [
      { id: 1, url: ' https://cn.example/ ', route: '国内线路', description: '电信', color: 'light-blue' },
      { id: 2, url: 'javascript:alert(1)', route: 'bad', description: '', color: 'red' },
      { id: 3, url: 'https://us.example', route: 'US', color: 'unheard-of' },
      'no entry',
    ],
    'console_setting.announcements': [
      { id: 1, content: '**Old**', publishDate: '2025-06-01T08:00:00+08:00', type: 'success', extra: 'all' },
      { id: 2, content: 'never', publishDate: 'soon', type: 'default', extra: '' },
      { id: 3, content: 'New', publishDate: '2025-07-01T00:00:00Z', type: 'party' },
    ],
    'console_setting.faq': [{ id: 1, question: 'Why?', answer: 'Because.' }, { question: 'Unanswered?' }],
    'console_setting.uptime_kuma_enabled': 'true',
    'console_setting.uptime_kuma_groups': [
      { id: 1, categoryName: 'OpenAI', url: ' https://status.example ', slug: 'openai', description: '' },
      { id: 2, categoryName: 'Bad', url: 'https://status.example', slug: 'a/b' },
    ],
  }
  const options = Object.entries(told).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
  await makeOlder('sqlite', older, newApi, { users: await peopleOf(), options })
  const environment = { DATA_DIR: freshDataDir() }
  const { out, err } = await run(environment, 'import', older)
  expect(err).toBe('')
  for (const said of [
    'setting ApiInfo: entry 2 left out: its url is not one for here',
    'setting ApiInfo: entry 4 left out: its url is not one for here',
    'setting Announcements: entry 2 left out: its publishDate is not one for here',
    'setting FAQ: entry 2 left out: its answer is not one for here',
    'setting UptimeKumaGroups: entry 2 left out: its slug is not one for here',
  ])
    expect(out).toContain(said)
  await withProgram(environment, async ({ url }) => {
    const { data } = (await new Client(url).get('/api/status')).json
    expect(data).toMatchObject({
      ...{ api_info_enabled: false, api_info: [], announcements_enabled: true, faq_enabled: true },
      announcements: [
        { content: 'New', publishDate: '2025-07-01T00:00:00.000Z', type: 'default', extra: '' },
        { content: '**Old**', publishDate: '2025-06-01T00:00:00.000Z', type: 'success', extra: 'all' },
      ],
      faq: [{ question: 'Why?', answer: 'Because.' }],
    })
    const root = new Client(url)
    await root.login('root', 'old-root-pass')
    const saved: { key: string; value: string }[] = (await root.get('/api/option/')).json.data
    expect(data.uptime_kuma_enabled).toBe(true)
    expect(JSON.parse(saved.find(({ key }) => key === 'UptimeKumaGroups')?.value ?? '')).toEqual([
      { categoryName: 'OpenAI', url: 'https://status.example', slug: 'openai', description: '' },
    ])
    expect(JSON.parse(saved.find(({ key }) => key === 'ApiInfo')?.value ?? '')).toEqual([
      { url: 'https://cn.example/', route: '国内线路', description: '电信', color: 'blue' },
      { url: 'https://us.example', route: 'US', description: '', color: 'grey' },
    ])
  })
})

test('lists of older versions come too, as many entries as there is room for; what is no list is told', async () => {
  const older = join(freshDataDir(), 'new-api.db')
  const long = (at: number) => ({ title: `Question ${at}`, content: 'x'.repeat(900) })
  const options = [
    { key: 'FAQ', value: JSON.stringify(Array.from({ length: 30 }, (_, at) => long(at))) },
    { key: 'console_setting.api_info', value: '' },
    { key: 'console_setting.announcements', value: '{"content": 1}' },
  ]
  await makeOlder('sqlite', older, newApi, { users: await peopleOf(), options })
  const environment = { DATA_DIR: freshDataDir() }
  const { out } = await run(environment, 'import', older)
  expect(out).toContain('setting FAQ: entry 30 left out: there is no room for so many')
  expect(out).toContain('setting Announcements: left as it is here: has the wrong structure')
  await withProgram(environment, async ({ url }) => {
    const { data } = (await new Client(url).get('/api/status')).json
    expect(data.faq.length).toBeGreaterThan(15)
    expect(data.faq[0]).toEqual({ question: 'Question 0', answer: 'x'.repeat(900) })
    expect(JSON.stringify(data.faq).length).toBeLessThanOrEqual(20_000)
    expect([data.api_info, data.announcements]).toEqual([[], []])
  })
})

test('how often channels are tested comes along, and what limits or prices nobody here knows of is told', async () => {
  const older = join(freshDataDir(), 'new-api.db')
  const options = Object.entries({
    'monitor_setting.auto_test_channel_enabled': 'true',
    'monitor_setting.auto_test_channel_minutes': '0.5',
    AutomaticEnableChannelEnabled: 'true',
    ModelRequestRateLimitEnabled: 'true',
    ModelRequestRateLimitGroup: '{"default":[200,100]}',
    SelfUseModeEnabled: 'false',
    'billing_setting.billing_mode': '{"m-tiers":"tiered_expr","m-plain":"ratio"}',
  }).map(([key, value]) => ({ key, value }))
  await makeOlder('sqlite', older, newApi, { users: await peopleOf(), options })
  const environment = { DATA_DIR: freshDataDir() }
  const { out } = await run(environment, 'import', older)
  expect(out).toContain('limits of requests for each user: did not come')
  expect(out).toContain('model m-tiers: its price is an expression there')
  expect(out).not.toMatch(/self-use mode|m-plain/)
  await withProgram(environment, async ({ url }) => {
    const root = await loggedIn(url, 'root', 'old-root-pass')
    const saved: { key: string; value: string }[] = (await root.get('/api/option/')).json.data
    expect(saved.find(({ key }) => key === 'ChannelTestMinutes')?.value).toBe('1')
  })
})
