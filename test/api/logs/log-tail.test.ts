import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { loggedIn } from '../../client.ts'
import { until } from '../../program.ts'
import { insert, type LogHouse, openLogHouse, password } from './log-house.ts'

let house: LogHouse
const other = JSON.stringify({ model_ratio: 1, frt: 300, admin_info: { use_channel: ['7', '3'] } })

interface Row {
  id: number
  content: string
}

beforeAll(async () => {
  house = await openLogHouse()
  const { database, addLog, alice, bob } = house
  const keys = { key_hash: '', key_sealed: '', other: '', models: '', other_info: '' }
  insert(database, 'channels', {
    id: 3,
    type: 1,
    name: 'third',
    status: 1,
    group: 'default',
    created_time: 1,
    ...keys,
  })
  for (const [at, user] of [alice, bob, alice].entries())
    addLog({ created_at: 1_700_000_000 + at, user_id: user.userId, content: `old ${at}` })
})
afterAll(() => house.stop())

interface Tail {
  rows: Row[]
  ended: boolean
  /** The server said that this was all. */
  clean: boolean
  leave(): void
}
const listen = (path: string, cookie: string | undefined) => listenAs(path, { cookie: `session=${cookie}` })

async function listenAs(path: string, headers: Record<string, string>): Promise<Tail> {
  const abort = new AbortController()
  const response = await fetch(`${house.program.url}${path}`, {
    headers,
    signal: abort.signal,
  })
  expect(response.headers.get('content-type')).toStartWith('text/event-stream')
  const tail: Tail = { rows: [], ended: false, clean: false, leave: () => abort.abort() }
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1]
        if (data) tail.rows.push(JSON.parse(data))
      }
    }
  }
  read()
    .then(() => {
      tail.clean = true
    })
    .catch(() => {})
    .finally(() => {
      tail.ended = true
    })
  return tail
}

describe('the live log', () => {
  test('tells administrators every new row and others their own, until they leave or may no longer', async () => {
    const { admin, alice, bob, addLog, database } = house
    const [, second] = (await admin.get('/api/log?page_size=3')).json.data.items as Row[]
    const all = await listen('/api/log/tail?after_id=0', admin.cookie)
    const own = await listen(`/api/log/self/tail?after_id=${second?.id}`, alice.cookie)
    // What was missed comes at once.
    await until(() => own.rows.length === 1)
    expect(own.rows[0]?.content).toBe('old 2')
    const now = Math.floor(Date.now() / 1000)
    addLog({ created_at: now, user_id: bob.userId, channel_id: 3, content: 'tail 1', other })
    addLog({ created_at: now, user_id: alice.userId, channel_id: 3, content: 'tail 2', other })
    await until(() => all.rows.length === 2 && own.rows.length === 2)
    expect(all.rows.map(({ content }) => content)).toEqual(['tail 1', 'tail 2'])
    expect(all.rows[0]).toMatchObject({ channel: 3, channel_name: 'third' })
    expect(own.rows[1]).toMatchObject({ content: 'tail 2', channel: 0, other: '{"model_ratio":1,"frt":300}' })
    own.leave()
    database.exec("update users set role = 1 where username = 'admin'")
    await until(() => all.ended)
    database.exec("update users set role = 10 where username = 'admin'")
    addLog({ created_at: now, user_id: alice.userId, content: 'tail 3' })
    expect(all.rows).toHaveLength(2)
    database.exec("delete from logs where content like 'tail %'")
  })

  test('ends with the session or the access token that it was asked for with', async () => {
    const { program, addLog, bob } = house
    const path = '/api/log/self/tail?after_id=0'
    const owner = await loggedIn(program.url, 'alice', password)
    const thief = await loggedIn(program.url, 'alice', password)
    const [kept, lost] = [await listen(path, owner.cookie), await listen(path, thief.cookie)]
    const changed = await owner.put('/api/user/self', { original_password: password, password: 'another-1' })
    expect(changed.json.success).toBe(true)
    await until(() => lost.ended)
    const token = (await bob.get('/api/user/token')).json.data
    const script = await listenAs(path, { authorization: token })
    expect((await bob.send('DELETE', '/api/user/token')).json.success).toBe(true)
    await until(() => script.ended)
    addLog({ created_at: Math.floor(Date.now() / 1000), user_id: owner.userId, content: 'tail 4' })
    await until(() => kept.rows.length === 1)
    expect([lost.rows, script.rows, kept.ended]).toEqual([[], [], false])
    kept.leave()
    house.database.exec("delete from logs where content like 'tail %'")
  })

  test('wants to know the last row that was seen', async () => {
    for (const query of ['', '?after_id=-1', '?after_id=x'])
      expect((await house.bob.get(`/api/log/self/tail${query}`)).json.success).toBe(false)
  })
})

test('a live log does not keep the program from ending', async () => {
  const tail = await listen('/api/log/self/tail?after_id=0', house.bob.cookie)
  await house.program.stop()
  await until(() => tail.ended)
  expect(tail.clean).toBe(true)
})
