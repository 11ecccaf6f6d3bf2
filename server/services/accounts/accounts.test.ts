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
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { finishSecondStep, openSecondStep } from '../sign-in/second-step.ts'
import { replaceAccessToken } from './access-tokens.ts'
import { createAccount } from './create-account.ts'
import { accountHandlers, userAdminHandlers } from './handlers.ts'
import { inviteCode } from './invitations.ts'
import { endSessions } from './own-account.ts'
import { hashPassword } from './passwords.ts'
import { keepProof, spendProof, sweepProofs, tryProof } from './proofs.ts'
import { sessionHash } from './sessions.ts'

setDefaultTimeout(600_000)
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

/** The code of what refuses it. */
async function refusalOf(work: unknown): Promise<string | undefined> {
  const [outcome] = await Promise.allSettled([work])
  return outcome?.status === 'rejected' && outcome.reason instanceof AppError
    ? outcome.reason.code
    : undefined
}

describe.each(engines.map(engine => [engine.name, engine] as const))('accounts on %s', (_name, engine) => {
  const fresh = async (): Promise<App> => openApp(await engine.freshUrl())

  test('whoever knew the password before gets nothing for it once it is another', async () => {
    const app = await fresh()
    const { db } = app.store
    const id = await addUser(app, 'victim')
    const former = await hashPassword('known-to-two')
    await db.updateTable('users').set({ password_hash: former }).where('id', '=', id).execute()
    const read = () => db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const known = await read()
    const arrival = callOf({}, {})
    const open = await completeSignIn(app, known, arrival)
    expect(open).toMatchObject({ username: 'victim' })
    const token = 'a-session-of-somebody'
    const times = { created_at: clock.now, verified_at: 0, seen_at: clock.now, expires_at: clock.now + 999 }
    const session = { id_hash: sessionHash(app, token), user_id: id, role: 1, ...times }
    await db
      .insertInto('sessions')
      .values({ ...session, address: '', user_agent: '' })
      .execute()
    const caller: Caller = { ...boss, id, username: 'victim', role: 1 }
    const call = { ...callOf({}, {}), caller, session: { token, set: () => {}, clear: () => {} } }

    // They are about to change it when its owner has it reset.
    const names = { username: '', display_name: '', revoke_access_token: false }
    const body = { ...names, original_password: 'known-to-two', password: 'of-the-thief' }
    const [changing] = await app.store.transaction(async transaction => {
      const changes = { password_hash: 'of its owner', access_token_hash: null }
      await transaction.updateTable('users').set(changes).where('id', '=', id).execute()
      const refusal = refusalOf(accountHandlers(app).updateSelf({ ...call, body }))
      await endSessions(transaction, id)
      return [refusal]
    })
    expect(await changing).toBe('account.password-wrong')
    expect(await refusalOf(completeSignIn(app, known, arrival))).toBe('login.failed')
    expect(await refusalOf(replaceAccessToken(app, call))).toBe('auth.required')
    const scripted = {
      ...call,
      caller: { ...caller, via: 'access-token' as const },
      authorization: 'Bearer x',
    }
    expect(await refusalOf(replaceAccessToken(app, scripted))).toBe('auth.required')
    expect(await read()).toMatchObject({ password_hash: 'of its owner', access_token_hash: null })
    expect(await db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute()).toEqual([])
  })

  test('a ticket for the second step is as good as the password that it was given for', async () => {
    const app = await fresh()
    const id = await addUser(app, 'careful')
    const { flow_token } = await openSecondStep(app, { id, password_hash: 'x' })
    await app.store.db.updateTable('users').set({ password_hash: 'y' }).where('id', '=', id).execute()
    const finish = (ticket: string) =>
      finishSecondStep(app, { ...callOf({}, { flow_token: ticket, code: '123456' }), caller: undefined })
    expect(await refusalOf(finish(flow_token))).toBe('second-step.expired')
    const next = await openSecondStep(app, { id, password_hash: 'y' })
    expect(await refusalOf(finish(next.flow_token))).toBe('two-factor.bad-code')
  })

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
    // Nobody is invited by an account that is deleted.
    await app.store.db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', inviter).execute()
    const late = await addUser(app, 'late', { affCode })
    const after = app.store.db.selectFrom('users').select(['id', 'quota', 'inviter_id', 'aff_count'])
    expect(await after.where('id', 'in', [inviter, late]).orderBy('id').execute()).toEqual([
      { id: inviter, quota: 100, inviter_id: 0, aff_count: 11 },
      { id: late, quota: 100, inviter_id: 0, aff_count: 0 },
    ])
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
    const models = async (kind?: 'chat'): Promise<string[]> => usableModels(callOf({ kind }, undefined))
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
    // A service may be called what it likes, also as a model is.
    await insertChannel(app.store, { id: 5, type: 1001, models: 'gpt-weather,c', group: 'default' })
    await insertChannel(app.store, { id: 6, type: 1002, models: 'finder', group: 'default' })
    await app.store.change('channels', async () => {})
    expect(await models()).toEqual(['a', 'c', 'finder', 'gpt-weather'])
    expect(await models('chat')).toEqual(['a', 'c'])
  })
})
