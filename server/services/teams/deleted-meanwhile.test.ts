import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { roles } from '../../../contract/users.ts'
import { until } from '../../../test/program.ts'
import { sampleApps } from '../../../test/sample-apps.ts'
import { engines } from '../../../test/services/databases.ts'
import { isSomebodyWaiting } from '../../../test/services/is-somebody-waiting.ts'
import { createAccount } from '../accounts/create-account.ts'
import { deleteSelf, retireAccount } from '../accounts/own-account.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'
import { createTeam } from './create-team.ts'
import { accept, invite } from './invitations.ts'
import { appoint } from './members.ts'

setDefaultTimeout(600_000)
const { openApp } = sampleApps()
const session = { token: undefined, set: () => {}, clear: () => {} }
const from = { language: 'zh', address: '203.0.113.5', userAgent: '', session, browser: session } as const
const rest = { ...from, authorization: null, signature: null, query: undefined, params: {} }

async function addPerson(app: App, username: string, role: number = roles.user): Promise<Caller> {
  const id = await app.store.change('users', async transaction => {
    const made = await createAccount(app, transaction, { username, passwordHash: 'x' })
    await transaction.updateTable('users').set({ role }).where('id', '=', made).execute()
    return made
  })
  return { id, username, role, status: 1, group: 'default', via: 'session' }
}

interface Meeting {
  readonly app: App
  readonly boss: Caller
  readonly guest: Caller
  /** The path of a team of the boss's. */
  readonly params: { readonly id: string }
}

const ways: Readonly<Record<string, (of: Meeting) => Promise<unknown>>> = {
  'accepts an invitation': ({ app, guest, params }) =>
    accept(app, { ...rest, params, caller: guest, body: undefined }),
  'is put into a team': ({ app, boss, guest, params }) =>
    appoint(app, { ...rest, params, caller: boss, body: { username: guest.username, role: 'owner' } }),
  'is given a team': ({ app, boss, guest }) =>
    createTeam(app, { ...rest, caller: boss, body: { name: 'another', owner: guest.username } }),
  'makes a team': ({ app, guest }) =>
    createTeam(app, { ...rest, caller: { ...guest, role: roles.admin }, body: { name: 'own', owner: '' } }),
}

describe.each(engines.map(engine => [engine.name, engine] as const))('on %s', (_name, engine) => {
  test.each(Object.entries(ways))('who %s and is deleted just then is in no team', async (_way, join) => {
    const app = await openApp(await engine.freshUrl())
    const boss = await addPerson(app, 'boss', roles.admin)
    const guest = await addPerson(app, 'guest')
    const { id } = await createTeam(app, { ...rest, caller: boss, body: { name: 'team', owner: '' } })
    const params = { id: String(id) }
    const body = { invitee: guest.username, role: 'owner' as const }
    await invite(app, { ...rest, params, caller: boss, body })

    const { joining } = await app.store.transaction(async transaction => {
      await retireAccount(app, transaction, guest.id)
      const trying = join({ app, boss, guest, params }).catch(error => error.code)
      await Promise.race([trying, until(() => isSomebodyWaiting(app.store))])
      return { joining: trying }
    })
    expect(await joining).toBe('users.unknown')
    const { db } = app.store
    const members = await db.selectFrom('team_members').select(['team_id', 'user_id']).execute()
    expect(members).toEqual([{ team_id: id, user_id: boss.id }])
    const teams = await db.selectFrom('users').select('id').where('role', '=', roles.team).execute()
    expect(teams).toEqual([{ id }])
  })

  test.each([
    ['makes a team', (guest: Caller) => ({ caller: { ...guest, role: roles.admin }, owner: '' })],
    ['is given a team', (guest: Caller, boss: Caller) => ({ caller: boss, owner: guest.username })],
  ] as const)('who %s cannot delete themselves just then', async (_way, begin) => {
    const app = await openApp(await engine.freshUrl())
    const boss = await addPerson(app, 'boss', roles.admin)
    const guest = await addPerson(app, 'guest')
    const made = Promise.withResolvers<void>()
    const maySettle = Promise.withResolvers<void>()
    // All is written, and nobody else sees it yet.
    const slow: App = {
      ...app,
      store: {
        ...app.store,
        change: (topic, work) =>
          app.store.change(topic, async transaction => {
            const done = await work(transaction)
            made.resolve()
            await maySettle.promise
            return done
          }),
      },
    }
    const { caller, owner } = begin(guest, boss)
    const making = createTeam(slow, { ...rest, caller, body: { name: 'team', owner } })
    await made.promise
    const leaving = deleteSelf(app, { ...rest, caller: guest, body: undefined }).then(
      () => 'done',
      error => error.code,
    )
    await Promise.race([leaving, until(() => isSomebodyWaiting(app.store))])
    maySettle.resolve()
    const { id } = await making
    expect(await leaving).toBe('team.own-deleted')
    const members = await app.store.db
      .selectFrom('team_members')
      .select(['team_id', 'user_id', 'role'])
      .execute()
    expect(members).toEqual([{ team_id: id, user_id: guest.id, role: 'owner' }])
  })
})
