import type { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Client, loggedIn } from '../../client.ts'
import { type OpenProgram, openProgram } from '../../open-program.ts'
import type { Program } from '../../program.ts'

const password = 'good-password'
let house: OpenProgram
let program: Program
let root: Client
let admin: Client
let database: Database

beforeAll(async () => {
  house = await openProgram()
  ;({ program, database, root } = house)
  for (const username of ['admin', 'alice', 'bob']) await root.post('/api/user/', { username, password })
  for (const username of ['admin', 'bob'])
    await root.post('/api/user/manage', { id: idOf(username), action: 'promote' })
  admin = await enter('admin', password)
  await admin.put('/api/user/', { id: idOf('alice'), password: 'other-password', quota: 5 })
})
afterAll(() => house.close())

const enter = (username: string, secret = password) => loggedIn(program.url, username, secret)
function idOf(username: string): number {
  return (database.query('select id from users where username = ?').get(username) as { id: number }).id
}

describe('the record of changes', () => {
  const records = async (query = ''): Promise<Record<string, unknown>[]> =>
    (await root.get(`/api/audit/?page_size=100&${query}`)).json.data.items

  test('has nothing of a call that found no channel to change', async () => {
    for (const [path, body] of [
      ['tag', { tag: 'nobody' }],
      ['status', { enable: false }],
      ['', {}],
    ] as const) {
      const answer = await root.post(`/api/channel/batch/${path}`.replace(/\/$/, ''), {
        ids: [999_999],
        ...body,
      })
      expect(answer.json).toEqual({ success: true, message: '', data: 0 })
    }
    expect(await records('subject=channels')).toEqual([])
  })

  test('holds who did what to whom, newest first, without secrets', async () => {
    const [edited] = await records(`subject=user:${idOf('alice')}&action=user.edit&user=admin`)
    expect(edited).toMatchObject({
      username: 'admin',
      address: '127.0.0.1',
      before: { password_hash: '******', quota: 0 },
      after: { password_hash: '******', quota: 5 },
    })
    const promoted = await records('action=user.promote')
    expect(promoted[0]).toMatchObject({
      user_id: idOf('root'),
      subject: `user:${idOf('bob')}`,
      before: { role: 1, status: 1, username: 'bob' },
      after: { role: 10 },
    })
    const ids = (await records()).map(({ id }) => Number(id))
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    await root.saveOption('SMTPToken', 'smtp-secret-1')
    await root.saveOption('SMTPToken', 'smtp-secret-2')
    await root.saveOption('SystemName', 'Renamed')
    const [named, token] = await records('action=option.save')
    expect(named).toMatchObject({
      subject: 'option:SystemName',
      before: { value: 'Tollgate' },
      after: { value: 'Renamed' },
    })
    expect(token).toMatchObject({ before: { value: '******' }, after: { value: '******' } })
    const kept = JSON.stringify(database.query('select * from audit_records').all())
    for (const secret of ['smtp-secret', password, 'argon2', 'other-password'])
      expect(kept).not.toContain(secret)
  })

  test('tells that the key of a channel was replaced, and when it was not', async () => {
    const channel = { name: 'kept', type: 1, models: 'm', group: 'default', key: 'sk-channel-secret-1' }
    await root.post('/api/channel/', { mode: 'single', channel })
    const [{ id } = { id: 0 }] = database.query('select id from channels').all() as { id: number }[]
    const updates = () => records(`subject=channel:${id}&action=channel.update`)
    expect((await root.put('/api/channel/', { id, key: 'sk-channel-secret-1' })).json.success).toBe(true)
    expect(await updates()).toEqual([])
    expect((await root.put('/api/channel/', { id, key: 'sk-channel-secret-2' })).json.success).toBe(true)
    const replaced = { key_hash: '******' }
    expect(await updates()).toMatchObject([{ username: 'root', before: replaced, after: replaced }])
    await root.put('/api/channel/', { id, key: 'sk-channel-secret-3', name: 'renamed' })
    const [both] = await updates()
    expect([both?.before, both?.after]).toEqual([
      { ...replaced, name: 'kept' },
      { ...replaced, name: 'renamed' },
    ])
    const kept = JSON.stringify(database.query('select * from audit_records').all())
    for (const secret of ['sk-channel-secret', 'v1.']) expect(kept).not.toContain(secret)
  })

  test('tells that the abilities of channels were mended, where any had to be', async () => {
    const channel = { name: 'lost', type: 1, models: 'm', group: 'default', key: 'sk-lost' }
    await root.post('/api/channel/', { mode: 'single', channel })
    await root.post('/api/channel/fix', undefined)
    expect(await records('action=channel.fix')).toEqual([])
    database.exec("delete from abilities where channel_id = (select id from channels where name = 'lost')")
    expect((await admin.post('/api/channel/fix', undefined)).json.data).toBe(1)
    expect(await records('action=channel.fix')).toMatchObject([
      { username: 'admin', subject: 'channels', after: { count: 1 } },
    ])
  })

  test('refused changes leave no record; logins do, and failed ones', async () => {
    const [{ id } = { id: 0 }] = await records()
    await admin.post('/api/user/manage', { id: idOf('root'), action: 'disable' })
    await root.saveOption('SystemName', 'x'.repeat(5000))
    expect((await records())[0]?.id).toBe(Number(id))
    await new Client(program.url).login('alice', 'wrong-password')
    await enter('alice', 'other-password')
    while ((await records('action=login.failed')).length === 0) await Bun.sleep(10)
    const subject = `user:${idOf('alice')}`
    expect((await records('action=login.failed'))[0]).toMatchObject({ subject, user_id: 0, username: '' })
    expect((await records('action=login'))[0]).toMatchObject({ subject, username: 'alice' })
  })

  test('pages, and only the super administrator reads it', async () => {
    const page = (await root.get('/api/audit/?p=2&page_size=3')).json.data
    expect([page.page, page.page_size, page.items.length]).toEqual([2, 3, 3])
    expect(page.total).toBeGreaterThan(6)
    for (const path of ['/api/audit/', '/api/audit/verify'])
      expect((await admin.get(path)).json.message).toBe('无权进行此操作，权限不足')
  })

  test('has the clearing of the log also where it breaks off', async () => {
    database.exec('update logs set created_at = 1000')
    database.exec("create trigger halt before delete on logs begin select raise(abort, 'halt'); end")
    const answer = await root.send('DELETE', '/api/log/?target_timestamp=2000')
    expect(answer.status).toBe(500)
    database.exec('drop trigger halt')
    const { rows } = database.query('select count(*) as rows from logs').get() as { rows: number }
    expect(rows).toBeGreaterThan(0)
    const [record] = await records('action=log.clear')
    expect(record).toMatchObject({ username: 'root', after: { before: 2000, clearing: rows } })
  })

  test('is not broken by an administrator’s half of a character', async () => {
    const tag = 'half \ud83d'
    const channel = { type: 1, name: 'tagged', key: 'sk-tagged', models: 'gpt-4o', group: 'default', tag }
    expect((await admin.post('/api/channel/', channel)).json.success).toBe(true)
    expect((await admin.post('/api/channel/tag/disabled', { tag })).json.success).toBe(true)
    expect((await records('action=channel.switch-tag'))[0]).toMatchObject({ subject: 'tag:half \ufffd' })
    expect((await root.get('/api/audit/verify')).json.data).toMatchObject({ intact: true, broken_at: null })
  })

  test('whatever is altered, taken out or put in is found', async () => {
    const verify = async () => (await root.get('/api/audit/verify')).json.data
    const whole = await verify()
    expect(whole).toEqual({ intact: true, records: whole.records, broken_at: null })
    const tampering: [string, number][] = [
      ["update audit_records set after = '{}' where id = 5", 5],
      ["update audit_records set username = 'nobody' where id = 7", 7],
      ['delete from audit_records where id = 6', 6],
      [`delete from audit_records where id = ${whole.records}`, whole.records],
      ['update audit_records set hash = previous_hash where id = 4', 4],
    ]
    for (const [statement, at] of tampering) {
      database.exec('create table saved as select * from audit_records')
      database.exec(statement)
      const found = await verify()
      database.exec('delete from audit_records')
      database.exec('insert into audit_records select * from saved')
      database.exec('drop table saved')
      expect([statement, found.intact, found.broken_at]).toEqual([statement, false, at])
    }
    expect((await verify()).intact).toBe(true)
  })
})
