import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { roles } from '../../../contract/users.ts'
import { insertChannel } from '../../../test/relay/sample-channels.ts'
import { sampleApps } from '../../../test/sample-apps.ts'
import { engines } from '../../../test/services/databases.ts'
import { AppError } from '../../errors.ts'
import { audit } from '../../ledger/audit.ts'
import type { App } from '../app.ts'
import { verifyRecords } from '../audit-log.ts'
import { type AuditEvent, recordAudit } from '../audit-record.ts'
import type { Call, Caller } from '../call.ts'
import { refuseClash } from '../refuse-clash.ts'
import { createAccount } from './create-account.ts'
import { accountHandlers, userAdminHandlers } from './handlers.ts'
import { inviteCode } from './invitations.ts'
import { keepProof, spendProof, sweepProofs, tryProof } from './proofs.ts'

setDefaultTimeout(180_000)
const { clock, openApp } = sampleApps()

const boss: Caller = {
  id: 1,
  username: 'boss',
  role: roles.root,
  status: 1,
  group: 'default',
  via: 'session',
}
function callOf<Q, B>(query: Q, body: B, params: Record<string, string> = {}): Call<Q, B, Caller> {
  const session = { token: undefined, set: () => {}, clear: () => {} }
  const from = {
    language: 'zh',
    address: '203.0.113.5',
    userAgent: '',
    authorization: null,
    signature: null,
  } as const
  return { query, body, params, caller: boss, session, browser: session, ...from }
}

async function setOption(app: App, key: string, value: string): Promise<void> {
  await app.store.change('options', async transaction => {
    await transaction.insertInto('options').values({ key, value, updated_at: 1 }).execute()
  })
}

function addUser(app: App, username: string, more: { affCode?: string } = {}): Promise<number> {
  return refuseClash(
    app.store.change('users', transaction =>
      createAccount(app, transaction, { username, passwordHash: 'x', ...more }),
    ),
    'user.name-taken',
  )
}

describe.each(engines.map(engine => [engine.name, engine] as const))('accounts on %s', (_name, engine) => {
  const fresh = async (): Promise<App> => openApp(await engine.freshUrl())

  test('records of changes from several nodes at once make one chain', async () => {
    const url = await engine.freshUrl()
    const nodes = [await openApp(url), await openApp(url)]
    const doer = { caller: { id: 1, username: 'Müller 中文 😀' }, address: '203.0.113.5' }
    const work = Array.from({ length: 40 }, (_, at) => {
      const app = nodes[at % 2]
      if (!app) throw new Error('two nodes')
      const event: AuditEvent = {
        action: 'option.save',
        subject: `thing:${at}`,
        before: { at },
        after: { text: '\0 \ud800 %' },
      }
      if (at % 4 < 2) return recordAudit(app, doer, event)
      // Inside a transaction that has read before: the end of the chain it sees must still be the latest.
      return app.store.change('users', async transaction => {
        await transaction.selectFrom('system').selectAll().execute()
        await recordAudit(app, doer, event, transaction)
      })
    })
    await Promise.all(work)
    const [app] = nodes
    if (!app) throw new Error('two nodes')
    expect(await verifyRecords(app)).toEqual({ intact: true, records: 40, broken_at: null })
    const failing = app.store.change('users', async transaction => {
      await recordAudit(app, doer, { action: 'option.save', subject: 'undone' }, transaction)
      throw new AppError('row.not-found')
    })
    await failing.catch(() => {})
    expect((await verifyRecords(app)).records).toBe(40)
  })

  test('of many that want one name, one gets it; gifts and rewards add up', async () => {
    const app = await fresh()
    await setOption(app, 'QuotaForNewUser', '100')
    await setOption(app, 'QuotaForInvitee', '20')
    await setOption(app, 'QuotaForInviter', '3')
    const inviter = await addUser(app, 'inviter')
    const affCode = await inviteCode(app, inviter)
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map(() => addUser(app, 'same', { affCode })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect((outcome.reason as AppError).code).toBe('user.name-taken')
    await Promise.all(Array.from({ length: 10 }, (_, at) => addUser(app, `guest${at}`, { affCode })))
    const rows = await app.store.db
      .selectFrom('users')
      .select(['username', 'quota', 'aff_count', 'aff_quota'])
      .execute()
    expect(rows.find(({ username }) => username === 'inviter')).toMatchObject({
      quota: 100,
      aff_count: 11,
      aff_quota: 33,
    })
    for (const { username, quota } of rows) expect(quota).toBe(username === 'inviter' ? 100 : 120)
    expect((await audit(app.store.db)).differences).toEqual([])
    const codes = await Promise.all(Array.from({ length: 5 }, () => inviteCode(app, inviter)))
    expect(new Set(codes)).toEqual(new Set([affCode]))
  })

  test('a proof is good for five tries, once, and for a while', async () => {
    const app = await fresh()
    const claim = { kind: 'email', subject: 'a@example.com' } as const
    await keepProof(app, claim, 'right', 600)
    expect([await tryProof(app, claim, 'wrong'), await tryProof(app, claim, 'right')]).toEqual([false, true])
    const spend = () =>
      app.store.db.transaction().execute(transaction => spendProof(app, transaction, claim, 'right'))
    const spent = await Promise.all([spend(), spend(), spend(), spend()])
    expect(spent.filter(Boolean).length).toBe(1)
    expect(await tryProof(app, claim, 'right')).toBe(false)

    await keepProof(app, claim, 'second', 600)
    const guesses = Array.from({ length: 12 }, (_, at) =>
      tryProof(app, claim, at < 11 ? `guess-${at}` : 'second'),
    )
    await Promise.all(guesses)
    expect(await tryProof(app, claim, 'second')).toBe(false)
    await keepProof(app, claim, 'third', 600)
    clock.now += 601
    expect([await tryProof(app, claim, 'third'), await spend()]).toEqual([false, false])
    await sweepProofs(app)
    expect(await app.store.db.selectFrom('proofs').selectAll().execute()).toEqual([])
  })

  test('users are listed, found, edited and managed alike', async () => {
    const app = await fresh()
    const handlers = userAdminHandlers(app)
    for (const name of ['root', 'Anna', 'Bert', '50%_off']) await addUser(app, name)
    await app.store.db.updateTable('users').set({ role: roles.root }).where('username', '=', 'root').execute()
    const find = async (keyword: string, group = '', sort = ''): Promise<string[]> => {
      const query = { keyword, group, role: '', status: '', sort }
      const found = await handlers.searchUsers(callOf(query, undefined))
      return (Array.isArray(found) ? found : found.items).map(({ username }) => username)
    }
    expect(await find('')).toEqual(['50%_off', 'Bert', 'Anna', 'root'])
    for (const [name, used] of [
      ['Anna', 2_000_000_000_000],
      ['Bert', 7],
    ] as const)
      await app.store.db.updateTable('users').set({ used_quota: used }).where('username', '=', name).execute()
    expect(await find('', '', '-used_quota')).toEqual(['Anna', 'Bert', '50%_off', 'root'])
    expect(await find('', '', 'used_quota')).toEqual(['50%_off', 'root', 'Bert', 'Anna'])
    expect(await find('', '', 'password_hash')).toEqual(['50%_off', 'Bert', 'Anna', 'root'])
    expect([await find('aNN'), await find('%_'), await find('_'), await find('\\'), await find('!')]).toEqual(
      [['Anna'], ['50%_off'], ['50%_off'], [], []],
    )
    expect(await find('', 'vip')).toEqual([])
    const id = 2
    const body = { id, username: 'Anne', password: '', group: 'vip', quota: 77, role: 0 }
    await handlers.editUser(callOf(undefined, body))
    expect(await handlers.getUser(callOf(undefined, undefined, { id: '2' }))).toMatchObject({
      username: 'Anne',
      group: 'vip',
      quota: 77,
      display_name: 'Anna',
    })
    const clash = async (): Promise<unknown> =>
      handlers.editUser(callOf(undefined, { ...body, username: 'Bert', quota: 5 }))
    expect(
      await clash().then(
        () => 'done',
        (error: AppError) => error.code,
      ),
    ).toBe('user.name-taken')
    const promotions = Array.from({ length: 3 }, () =>
      handlers.manageUser(callOf(undefined, { id, action: 'promote' })),
    )
    const outcomes = await Promise.allSettled(promotions)
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    await handlers.deleteUser(callOf(undefined, undefined, { id: '3' }))
    const page = await handlers.listUsers(callOf({ p: 1, page_size: 2 }, undefined))
    expect(page).toMatchObject({ total: 4, page: 1, page_size: 2 })
    expect((await audit(app.store.db)).differences).toEqual([])
    expect(await verifyRecords(app)).toMatchObject({ intact: true, records: 3 })
  })

  test('usable models follow the channels', async () => {
    const app = await fresh()
    const { usableModels } = accountHandlers(app)
    const models = async (): Promise<string[]> => usableModels(callOf(undefined, undefined))
    expect(await models()).toEqual([])
    await insertChannel(app.store, { id: 1, models: 'b, a,b', group: 'default' })
    await insertChannel(app.store, { id: 2, models: 'a,c', group: 'vip,default' })
    await insertChannel(app.store, { id: 3, models: 'off', group: 'default', status: 2 })
    await insertChannel(app.store, { id: 4, models: 'hidden', group: 'svip' })
    await app.store.change('channels', async () => {})
    expect(await models()).toEqual(['a', 'b', 'c'])
    await app.store.change('channels', async transaction => {
      await transaction.deleteFrom('channels').where('id', '=', 1).execute()
    })
    expect(await models()).toEqual(['a', 'c'])
  })
})
