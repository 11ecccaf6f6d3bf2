import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { sampleApps } from '../../../test/sample-apps.ts'
import { engines } from '../../../test/services/databases.ts'
import { AppError } from '../../errors.ts'
import { newUser } from '../setup.ts'
import { countTry, findFlow, openFlow, sweepFlows, takeFlow } from './flows.ts'
import { github } from './providers/github.ts'
import { bindAccount, findBound, registerBound } from './third-party-user.ts'
import { totpCode } from './totp.ts'
import { removeTwoFactor, replaceBackupCodes, sealSecret, spendCode } from './two-factor.ts'

setDefaultTimeout(600_000)
const { clock, openApp } = sampleApps()

/** The codes of those that were refused; undefined for those that were not. */
async function outcomes(work: readonly Promise<unknown>[]): Promise<(string | undefined)[]> {
  const settled = await Promise.allSettled(work)
  return settled.map(one => {
    if (one.status === 'fulfilled') return undefined
    return one.reason instanceof AppError ? one.reason.code : String(one.reason)
  })
}

describe.each(engines.map(engine => [engine.name, engine] as const))('signing in on %s', (_name, engine) => {
  test('what is handed out works once, for its purpose, within its time', async () => {
    const app = await openApp(await engine.freshUrl())
    const ticket = { kind: 'second-step', key: 'secret' } as const
    expect(await openFlow(app, ticket, { userId: 7, data: '{"a":"值"}', seconds: 60 })).toBe(true)
    expect(await openFlow(app, ticket, { userId: 8, seconds: 60 })).toBe(false)
    expect(await takeFlow(app, { kind: 'passkey-login', key: 'secret' })).toBeUndefined()
    expect(await findFlow(app, ticket)).toEqual({ userId: 7, data: '{"a":"值"}' })
    const tries = await Promise.all(Array.from({ length: 8 }, () => countTry(app, ticket, 5)))
    expect(tries.filter(Boolean)).toHaveLength(5)
    const taken = await Promise.all(Array.from({ length: 8 }, () => takeFlow(app, ticket)))
    expect(taken.filter(Boolean)).toHaveLength(1)

    await openFlow(app, ticket, { userId: 7, seconds: 60 })
    clock.now += 60
    expect(await countTry(app, ticket, 5)).toBe(false)
    expect(await takeFlow(app, ticket)).toBeUndefined()
    await openFlow(app, { kind: 'telegram', key: 'old' }, { seconds: 0 })
    await openFlow(app, { kind: 'telegram', key: 'new' }, { seconds: 1 })
    await sweepFlows(app)
    const left = await app.store.db.selectFrom('sign_in_flows').selectAll().execute()
    expect(left).toHaveLength(1)
    expect(JSON.stringify(left)).not.toContain('"new"')
  })

  test('of many that show the same code at once, one is let in', async () => {
    const app = await openApp(await engine.freshUrl())
    const { db } = app.store
    const secret = Buffer.from('12345678901234567890')
    const row = { user_id: 1, secret_sealed: sealSecret(app, 1, secret), created_at: 1, last_step: 0 }
    await db
      .insertInto('two_factors')
      .values({ ...row, confirmed_at: 1 })
      .execute()
    const codes = await db.transaction().execute(transaction => replaceBackupCodes(app, transaction, 1))
    const digits = totpCode(secret, Math.floor(clock.now / 30))
    const shown = [
      [digits, 'two-factor.used-code'],
      [codes[0] ?? '', 'two-factor.bad-code'],
    ] as const
    for (const [code, refusal] of shown) {
      const results = await outcomes(Array.from({ length: 4 }, () => spendCode(app, 1, code)))
      expect(results.filter(result => result === undefined)).toHaveLength(1)
      expect(results.filter(result => result === refusal)).toHaveLength(3)
    }
    expect(await outcomes([spendCode(app, 2, codes[1] ?? '')])).toEqual(['two-factor.bad-code'])
    expect(await db.transaction().execute(transaction => removeTwoFactor(transaction, 1))).toBe(true)
    expect(await db.selectFrom('backup_codes').selectAll().execute()).toEqual([])
  })

  test('an account of a third party belongs to one user', async () => {
    const app = await openApp(await engine.freshUrl())
    const person = { id: '42', displayName: 'A name that is much too long\n for us' }
    const made = await Promise.all(
      Array.from({ length: 4 }, () => registerBound(app, '203.0.113.5', github, person, '')),
    )
    expect(new Set(made.map(user => user.id)).size).toBe(1)
    expect(made[0]).toMatchObject({
      github_id: '42',
      display_name: 'A name that is much ',
      password_hash: '',
    })
    await app.store.db
      .insertInto('users')
      .values(newUser('other', 'x', 1))
      .execute()
    const other = await app.store.db
      .selectFrom('users')
      .select(['id', 'username'])
      .where('username', '=', 'other')
      .executeTakeFirstOrThrow()
    const bind = (id: string) =>
      bindAccount(app, { caller: other, address: '' }, github, { id, displayName: '' })
    expect(await outcomes([bind('42')])).toEqual(['oauth.github-taken'])
    await bind('43')
    expect((await findBound(app, '', github, { id: '43', displayName: '' }))?.username).toBe('other')
  })

  test('the name that is made up for who comes by a third party is nobody’s, in capitals or not', async () => {
    const app = await openApp(await engine.freshUrl())
    await app.store.db
      .insertInto('users')
      .values(newUser(`${github.prefix}_2`.toUpperCase(), 'x', 1))
      .execute()
    const { username } = await registerBound(app, '203.0.113.5', github, { id: '7', displayName: '' }, '')
    expect(username).toMatch(new RegExp(`^${github.prefix}_[0-9a-f]{8}$`))
  })
})
