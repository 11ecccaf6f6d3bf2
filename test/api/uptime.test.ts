// The operator's status pages, as Uptime Kuma publishes them.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Client } from '../client.ts'
import { type OpenProgram, openProgram } from '../open-program.ts'
import { UptimeKuma } from '../uptime-kuma.ts'

let house: OpenProgram
const kuma = new UptimeKuma()

beforeAll(async () => {
  house = await openProgram()
})
afterAll(async () => {
  await house.close()
  await kuma.close()
})
beforeEach(() => {
  kuma.asked.length = 0
  kuma.instead = undefined
})

const pageAt = (slug: string, more: object = {}) => ({
  ...{ categoryName: 'Models', url: `${kuma.url}/`, slug, description: '' },
  ...more,
})
const saveRaw = (value: unknown) =>
  house.root.saveOption('UptimeKumaGroups', typeof value === 'string' ? value : JSON.stringify(value))
async function save(...pages: object[]): Promise<void> {
  expect((await saveRaw(pages)).json).toMatchObject({ success: true })
}
const told = async () => (await new Client(house.program.url).get('/api/uptime/status')).json.data
const enabled = async () =>
  (await new Client(house.program.url).get('/api/status')).json.data.uptime_kuma_enabled

test('monitors are told by page, with their state, their day and their last beats', async () => {
  expect([await enabled(), await told()]).toEqual([false, []])
  kuma.pages = [
    {
      slug: 'models',
      groups: {
        Chat: [
          { id: 7, name: 'gpt-4o', beats: ['down', 'pending', 'up'], uptime: 0.9983 },
          { id: 9, name: 'claude', beats: [...Array(40).fill('up'), 'down'], uptime: 1 },
        ],
        Rest: [{ id: 12, name: 'paused', beats: [] }],
      },
    },
    { slug: 'house', groups: { All: [{ id: 7, name: 'gateway', beats: ['maintenance'], uptime: 0.5 }] } },
  ]
  await save(pageAt('models'), pageAt('house', { categoryName: 'House', description: 'Ours' }))
  expect(await told()).toEqual([
    {
      ...{ categoryName: 'Models', description: '', away: false },
      monitors: [
        { name: 'gpt-4o', group: 'Chat', status: 1, uptime: 0.9983, beats: [0, 2, 1] },
        { name: 'claude', group: 'Chat', status: 0, uptime: 1, beats: [...Array(29).fill(1), 0] },
        { name: 'paused', group: 'Rest', status: null, uptime: null, beats: [] },
      ],
    },
    {
      ...{ categoryName: 'House', description: 'Ours', away: false },
      monitors: [{ name: 'gateway', group: 'All', status: 3, uptime: 0.5, beats: [3] }],
    },
  ])
  expect(await enabled()).toBe(true)
  // However many ask, nobody goes there again so soon.
  expect(kuma.asked.toSorted()).toEqual([
    '/api/status-page/heartbeat/house',
    '/api/status-page/heartbeat/models',
    '/api/status-page/house',
    '/api/status-page/models',
  ])
  await Promise.all([told(), told(), told()])
  expect(kuma.asked).toHaveLength(4)
  expect(kuma.complaints).toEqual([])
  // Where the pages are is the operator's to know.
  const { text } = await new Client(house.program.url).get('/api/status')
  expect(text + JSON.stringify(await told())).not.toContain(kuma.url.slice('http://'.length))
})

test.each([
  ['is gone', () => new Response('gone', { status: 410 })],
  ['breaks', () => new Response('oops', { status: 502 })],
  ['is no such page', () => new Response('<html>')],
  ['says something else', () => Response.json({ heartbeatList: [], publicGroupList: 3 })],
  ['leads elsewhere', () => Response.redirect('http://127.0.0.1:9/', 302)],
  ['never ends', () => new Response(new Uint8Array(3 * 1024 * 1024).fill(32))],
])('a page that %s is away, and the others are not', async (_, answer) => {
  const other = new UptimeKuma()
  other.pages = [{ slug: 'house', groups: { All: [{ id: 1, name: 'gateway', beats: ['up'] }] } }]
  kuma.instead = answer
  await save(pageAt('models'), pageAt('house', { url: other.url }))
  const pages = await told()
  expect(pages.map(({ away }: { away: boolean }) => away)).toEqual([true, false])
  expect(pages[0].monitors).toEqual([])
  await other.close()
})

test('a page that is unknown there, or at an address that nobody is at, is away', async () => {
  await save(pageAt('unheard-of'), pageAt('models', { url: 'http://127.0.0.1:9' }))
  expect((await told()).map(({ away }: { away: boolean }) => away)).toEqual([true, true])
})

test('who sets one up is told why it cannot be read, and nobody else may ask', async () => {
  const { root, program } = house
  const ask = async (place: object) =>
    (await root.post('/api/option/test_status_page', { url: kuma.url, slug: 'models', ...place }, english))
      .json
  const english = { 'accept-language': 'en' }
  const why = async (place: object, answer?: () => Response) => {
    kuma.instead = answer
    const { success, message } = await ask(place)
    return success ? 'it can be read' : message
  }
  expect((await ask({})).data).toEqual({ monitors: 3 })
  expect((await ask({ url: `${kuma.url}/status/models` })).data).toEqual({ monitors: 3 })
  expect(await why({ slug: 'unheard-of' })).toContain('There is no such status page')
  expect(await why({ slug: '../../metrics' })).toContain('There is no such status page')
  expect(await why({ url: 'file:///etc/passwd' })).toContain('There is no such status page')
  expect(await why({}, () => new Response('oops', { status: 502 }))).toContain('status 502')
  expect(await why({}, () => new Response('<html>'))).toContain('no status page of Uptime Kuma')
  expect(await why({}, () => Response.json({ publicGroupList: 3 }))).toContain('no status page')
  expect(await why({ url: 'http://127.0.0.1:9' })).toContain('connection could not be made')
  expect((await new Client(program.url).post('/api/option/test_status_page', {})).status).toBe(401)
})

test('the address of the page itself leads there too', async () => {
  for (const rest of ['/status/models', '/status/models/?theme=dark#top', '//']) {
    await save(pageAt('models', { url: kuma.url + rest }))
    expect(await told()).toMatchObject([{ away: false }])
  }
  expect(new Set(kuma.asked)).toEqual(
    new Set(['/api/status-page/models', '/api/status-page/heartbeat/models']),
  )
})

test('addresses inside are left alone where the operator wants that, and nothing is asked while it is off', async () => {
  const { root } = house
  expect((await root.saveOption('AllowPrivateUpstreams', 'false')).json.success).toBe(true)
  await save(pageAt('models'))
  expect(await told()).toMatchObject([{ away: true }])
  expect(kuma.asked).toEqual([])
  await root.saveOption('AllowPrivateUpstreams', 'true')
  await root.saveOption('UptimeKumaEnabled', 'false')
  expect([await enabled(), await told(), kuma.asked]).toEqual([false, [], []])
  await root.saveOption('UptimeKumaEnabled', 'true')
  await save(pageAt('models', { description: 'again' }))
  expect(await told()).toMatchObject([{ away: false }])
})

test.each([
  ['another scheme', [pageAt('models', { url: 'file:///etc/passwd' })]],
  ['a way out of the path', [pageAt('../../metrics')]],
  ['no name', [pageAt('models', { categoryName: '' })]],
  ['too many', Array.from({ length: 21 }, () => pageAt('models'))],
  ['no list', '{}'],
])('is refused with %s', async (_, value) => {
  expect((await saveRaw(value)).json.success).toBe(false)
})
