import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Client, loggedIn, rootClient } from '../../client.ts'
import { openRig } from '../../relay/rig.ts'
import { dropAll, engines } from '../../services/databases.ts'

// A name that differs from another in capitals alone would be taken for it.

setDefaultTimeout(600_000)
afterAll(dropAll)

const TAKEN = '用户名已存在，或已注销'
const password = 'good-password'

describe.each(engines.map(engine => [engine.name, engine] as const))('on %s', (_name, engine) => {
  test('nobody new is called as somebody is but for capitals; who is already goes on', async () => {
    const rig = await openRig(async () => {}, { DATABASE_URL: await engine.freshUrl() })
    try {
      const root = await rootClient(rig.url)
      await root.liftLimits()
      const visitor = new Client(rig.url)
      const said = async (asked: Promise<{ json: { success: boolean; message: string } }>) => {
        const { success, message } = (await asked).json
        return success ? 'done' : message
      }
      const create = (username: string) => said(root.post('/api/user/', { username, password }))
      const register = (username: string) => said(visitor.post('/api/user/register', { username, password }))

      for (const username of ['alice', 'émile', 'twin', 'other']) expect(await create(username)).toBe('done')
      for (const username of ['ROOT', 'Root', 'root', 'Émile', 'ÉMILE', 'aLICE']) {
        expect([username, await register(username)]).toEqual([username, TAKEN])
        expect([username, await create(username)]).toEqual([username, TAKEN])
      }
      expect(await said(root.post('/api/team/', { name: 'Root', owner: '' }))).toBe(TAKEN)

      // Also of those who come at once, when none of them is there yet.
      const capitals = ['wonder', 'Wonder', 'WONDER', 'wonDer', 'WonDer', 'woNder']
      const asked = capitals.map((name, at) =>
        at % 3 === 2
          ? said(root.post('/api/team/', { name, owner: '' }))
          : at % 3
            ? create(name)
            : register(name),
      )
      expect((await Promise.all(asked)).sort()).toEqual(['done', ...capitals.slice(1).map(() => TAKEN)])

      const alice = await loggedIn(rig.url, 'alice', password)
      expect(await said(alice.put('/api/user/self', { username: 'ROOT' }))).toBe(TAKEN)
      expect(await said(alice.put('/api/user/self', { username: 'Alice' }))).toBe('done')
      const id = alice.userId
      const edit = (of: number | undefined, username: string) =>
        said(root.put('/api/user/', { id: of, username }))
      expect(await edit(id, 'rOOT')).toBe(TAKEN)
      expect(await edit(id, 'ALICE')).toBe('done')

      // Two of them, from before.
      const { db } = rig.store
      await db.updateTable('users').set({ username: 'TWIN' }).where('username', '=', 'other').execute()
      const ids = []
      for (const username of ['twin', 'TWIN']) {
        const one = await loggedIn(rig.url, username, password)
        expect((await one.get('/api/user/self')).json.data.username).toBe(username)
        expect(await said(one.put('/api/user/self', { username, display_name: 'Both' }))).toBe('done')
        expect(await edit(one.userId, username)).toBe('done')
        ids.push(one.userId)
      }
      expect(new Set(ids).size).toBe(2)
      expect(await said(visitor.post('/api/user/login', { username: 'Twin', password }))).not.toBe('done')
    } finally {
      await rig.close()
    }
  })
})
