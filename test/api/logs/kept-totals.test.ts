import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Client, rootClient } from '../../client.ts'
import { freshDataDir, type Program, ROOT_PASSWORD, startProgram } from '../../program.ts'
import { dropAll, engines } from '../../services/databases.ts'

afterAll(dropAll)

// Each node keeps what it has counted. What changes through one must not be counted wrong by either.
describe.each(engines.map(engine => [engine.name, engine] as const))('totals on %s', (_name, engine) => {
  let programs: Program[] = []
  let here: Client
  let there: Client

  beforeAll(async () => {
    const environment = { DATABASE_URL: await engine.freshUrl(), DATA_DIR: freshDataDir(), ROOT_PASSWORD }
    programs = [await startProgram(environment), await startProgram(environment)]
    const [first, second] = programs as [Program, Program]
    here = await rootClient(first.url)
    there = Object.assign(new Client(second.url), { cookie: here.cookie, userId: here.userId })
    for (const limit of ['GlobalApiRateLimit', 'SearchRateLimit', 'CriticalRateLimit'])
      await here.saveOption(limit, '0')
  })
  afterAll(async () => {
    for (const program of programs) await program.stop()
  })

  /** Of a page of one row, which cannot tell by itself; asked of both nodes, and again. */
  async function totals(paths: Record<string, string>): Promise<Record<string, number>> {
    const seen: Record<string, number>[] = []
    for (const client of [here, there, here, there]) {
      const entries = Object.entries(paths).map(async ([name, path]) => {
        const { json } = await client.get(`${path}&p=1&page_size=1`)
        return [name, json.data.total] as const
      })
      seen.push(Object.fromEntries(await Promise.all(entries)))
    }
    const [one = {}, ...others] = seen
    expect(others).toEqual([one, one, one])
    return one
  }

  async function done(answer: Promise<{ json: { success: boolean; message: string } }>): Promise<void> {
    const { success, message } = (await answer).json
    expect([success, message]).toEqual([true, message])
  }

  const idOf = async (path: string): Promise<number> => (await here.get(path)).json.data.items[0].id

  test('users', async () => {
    const search = '/api/user/search?keyword='
    const paths = {
      all: '/api/user/?x=',
      named: `${search}mary`,
      vip: `${search}&group=vip`,
      admins: `${search}&role=admin`,
      banned: `${search}&status=banned`,
      deleted: `${search}&status=deleted`,
    }
    const before = { all: 1, named: 0, vip: 0, admins: 0, banned: 0, deleted: 0 }
    expect(await totals(paths)).toEqual(before)
    for (const username of ['mary1', 'mary2'])
      await done(here.post('/api/user/', { username, password: 'a-password' }))
    const two = { ...before, all: 3, named: 2 }
    expect(await totals(paths)).toEqual(two)
    const id = await idOf(`${search}mary2&p=1&page_size=1`)
    await done(there.put('/api/user/', { id, username: 'susan', display_name: 'susan', group: 'vip' }))
    expect(await totals(paths)).toEqual({ ...two, named: 1, vip: 1 })
    await done(here.post('/api/user/manage', { id, action: 'promote' }))
    await done(here.post('/api/user/manage', { id, action: 'disable' }))
    expect(await totals(paths)).toEqual({ ...two, named: 1, vip: 1, admins: 1, banned: 1 })
    await done(there.send('DELETE', `/api/user/${id}`))
    expect(await totals(paths)).toEqual({ ...two, named: 1, vip: 1, admins: 1, deleted: 1 })
  })

  test('tokens', async () => {
    const paths = { all: '/api/token/?x=', named: '/api/token/search?token=&keyword=box' }
    expect(await totals(paths)).toEqual({ all: 0, named: 0 })
    for (const name of ['box 1', 'box 2', 'bag'])
      await done(there.post('/api/token/', { name, unlimited_quota: true, expired_time: -1 }))
    expect(await totals(paths)).toEqual({ all: 3, named: 2 })
    const id = await idOf('/api/token/search?token=&keyword=box&p=1&page_size=1')
    await done(here.put('/api/token/', { id, name: 'crate', unlimited_quota: true, expired_time: -1 }))
    expect(await totals(paths)).toEqual({ all: 3, named: 1 })
    await done(there.send('DELETE', `/api/token/${id}`))
    expect(await totals(paths)).toEqual({ all: 2, named: 1 })
  })

  test('channels', async () => {
    const list = '/api/channel/?form=paged'
    const paths = {
      all: list,
      tags: `${list}&tag_mode=true`,
      enabled: `${list}&status=enabled`,
      served: '/api/channel/search?form=paged&keyword=&group=&model=m-2',
    }
    expect(await totals(paths)).toEqual({ all: 0, tags: 0, enabled: 0, served: 0 })
    const channel = { type: 1, name: 'one', models: 'm-1', group: 'default' }
    for (const tag of ['red', 'red', 'blue'])
      await done(here.post('/api/channel/', { ...channel, key: `sk-${tag}`, tag }))
    expect(await totals(paths)).toEqual({ all: 3, tags: 2, enabled: 3, served: 0 })
    await done(there.put('/api/channel/tag', { tag: 'blue', new_tag: 'red', models: 'm-1,m-2' }))
    expect(await totals(paths)).toEqual({ all: 3, tags: 1, enabled: 3, served: 1 })
    const id = await idOf(`${list}&p=1&page_size=1`)
    await done(here.put('/api/channel/', { id, status: 2 }))
    expect(await totals(paths)).toEqual({ all: 3, tags: 1, enabled: 2, served: 1 })
    await done(there.send('DELETE', `/api/channel/${id}`))
    expect(await totals(paths)).toEqual({ all: 2, tags: 1, enabled: 2, served: 0 })
  })
})
