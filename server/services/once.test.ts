import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { roles } from '../../contract/users.ts'
import { sampleApps } from '../../test/sample-apps.ts'
import { engines } from '../../test/services/databases.ts'
import { audit } from '../ledger/audit.ts'
import { createAccount } from './accounts/create-account.ts'
import { editUser } from './accounts/user-admin.ts'
import type { App } from './app.ts'
import type { Caller } from './call.ts'
import { sweepOnce } from './once.ts'
import { createRedemptions } from './wallet/redemption-changes.ts'

setDefaultTimeout(600_000)
const { clock, openApp } = sampleApps()
const AT_ONCE = 12

async function addAccount(app: App, username: string): Promise<Caller> {
  const id = await app.store.change('users', transaction =>
    createAccount(app, transaction, { username, passwordHash: 'x' }),
  )
  return { id, username, role: roles.root, status: 1, group: 'default', via: 'session' }
}

const session = { token: undefined, set: () => {}, clear: () => {} }
const from = { params: {}, language: 'zh', address: '203.0.113.5', userAgent: '', session } as const
const rest = { ...from, browser: session, authorization: null, signature: null, query: undefined }

function make(app: App, caller: Caller, idempotencyKey: string | null, count = 3): Promise<string[]> {
  const body = { name: 'spring', quota: 500, count, expired_time: 0 }
  return createRedemptions(app, { ...rest, caller, body, idempotencyKey })
}

function give(app: App, caller: Caller, id: number, idempotencyKey: string | null, by = 70): Promise<void> {
  const body = { id, username: '', password: '', group: '', role: 0, quota_change: by }
  return editUser(app, { ...rest, caller, body, idempotencyKey })
}

describe.each(engines.map(engine => [engine.name, engine] as const))('given once on %s', (_name, engine) => {
  test('however many ask at once at two nodes, and each is told the same', async () => {
    const url = await engine.freshUrl()
    const nodes = [await openApp(url), await openApp(url)] as const
    const [app, other] = nodes
    const [root, second] = [await addAccount(app, 'root'), await addAccount(app, 'second')]
    const ann = await addAccount(app, 'ann')
    const codes = async () => (await app.store.db.selectFrom('redemptions').select('key').execute()).length
    const quota = async () =>
      (await app.store.db.selectFrom('users').select('quota').where('id', '=', ann.id).executeTakeFirst())
        ?.quota
    const before = (await quota()) ?? 0

    const made = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, turn) => make(turn % 2 === 0 ? app : other, root, 'a')),
    )
    expect(new Set(made.map(keys => keys.join())).size).toBe(1)
    expect([made[0]?.length, await codes()]).toEqual([3, 3])
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, turn) => give(turn % 2 === 0 ? app : other, root, ann.id, 'a')),
    )
    expect(await quota()).toBe(before + 70)

    // Another name, none, and the same name of somebody else are other wishes.
    await make(app, root, 'b')
    await make(app, root, null)
    await make(other, second, 'a')
    expect(await codes()).toBe(12)
    await give(app, root, ann.id, null)
    await give(app, root, ann.id, null)
    expect(await quota()).toBe(before + 210)

    // So is another wish under the same name, which is refused.
    for (const wish of [() => make(app, root, 'a', 4), () => give(app, root, ann.id, 'a', 71)]) {
      const refused = await wish().catch(error => error)
      expect(refused).toMatchObject({ code: 'request.key-reused' })
    }
    expect([await codes(), await quota()]).toEqual([12, before + 210])
    expect((await audit(app.store.db)).differences).toEqual([])
  })

  test('what failed has not been given, and a day later the name is free', async () => {
    const app = await openApp(await engine.freshUrl())
    const root = await addAccount(app, 'root')
    const ann = await addAccount(app, 'ann')
    const low = { ...root, role: roles.user }
    expect(await give(app, low, ann.id, 'a').catch(error => error)).toMatchObject({ code: 'users.edit-rank' })
    const kept = async () => {
      const rows = await app.store.db
        .selectFrom('system')
        .select('key')
        .where('key', 'like', 'once %')
        .execute()
      return rows.length
    }
    expect(await kept()).toBe(0)
    await give(app, root, ann.id, 'a')
    clock.now += 86_400
    await sweepOnce(app)
    expect(await kept()).toBe(1)
    clock.now += 1
    await sweepOnce(app)
    expect(await kept()).toBe(0)
  })
})
