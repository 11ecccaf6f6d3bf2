import { afterAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { adviseOn, describeDifference } from '../server/audit-words.ts'
import { audit } from '../server/ledger/audit.ts'
import { credit } from '../server/ledger/entries.ts'
import type { Store } from '../server/store/index.ts'
import { rootClient } from './client.ts'
import { damageTable } from './damage-table.ts'
import { SECRET_KEY } from './faults/gateway.ts'
import { addUsers, now } from './faults/seed.ts'
import { COMMAND, freshDataDir, ROOT_PASSWORD, until, withProgram } from './program.ts'
import { openSampleStore, sampleToken } from './sample-store.ts'
import { dropAll, engines } from './services/databases.ts'

afterAll(dropAll)

/** What the command prints, as an operator sees it. */
function runAudit(DATABASE_URL: string) {
  const env = { DATABASE_URL, SECRET_KEY, DATA_DIR: freshDataDir() }
  const { exitCode, stdout, stderr } = Bun.spawnSync([...COMMAND, 'audit'], { env })
  const said = stdout.toString() + stderr.toString()
  return { exitCode, said, statements: [...said.matchAll(/^ {6}(\w.*);$/gm)].map(([, text = '']) => text) }
}

/** Somebody with money, a token and a limit, and two calls under way of which nobody will hear any more. */
async function leaveBehind(store: Store): Promise<{ userId: number; tokenId: number; limitId: number }> {
  const [userId = 0] = await addUsers(store, 'user', 1, 0)
  await credit(store, now(), { kind: 'gift', ref: 'a', userId, amount: 1000 })
  const { db } = store
  await db
    .insertInto('tokens')
    .values(sampleToken({ user_id: userId, key_hash: 'x' }))
    .execute()
  const limit = { user_id: userId, subject: 'account', period: 'day', amount: 500, spent: 0 } as const
  await db
    .insertInto('spend_limits')
    .values({ ...limit, created_at: now() })
    .execute()
  const hold = { user_id: userId, token_id: 0, token_amount: 0, charge: 0, state: 'open', price: '{}' }
  const times = { created_at: now(), updated_at: now() }
  await db
    .insertInto('holds')
    .values([
      { ...hold, ...times, id: 'stranded', node_id: 'nobody', amount: 100, held: 100, checkpoint: 30 },
      { ...hold, ...times, id: "it's", node_id: 'batches', amount: 50, held: 50, checkpoint: 0 },
    ])
    .execute()
  await sql`update users set quota = quota - 150 where id = ${userId}`.execute(db)
  const { id: tokenId } = await db.selectFrom('tokens').select('id').executeTakeFirstOrThrow()
  const { id: limitId } = await db.selectFrom('spend_limits').select('id').executeTakeFirstOrThrow()
  return { userId, tokenId, limitId }
}

test.concurrent.each(engines.map(engine => [engine.name, engine] as const))(
  'the audit says what differs, and what it says to do mends it (%s)',
  async (_name, engine) => {
    const url = await engine.freshUrl()
    const store = await openSampleStore(url, { secretKey: SECRET_KEY })
    try {
      const { userId, tokenId, limitId } = await leaveBehind(store)
      for (const damage of [
        sql`update users set quota = quota + 5 where id = ${userId}`,
        sql`update tokens set remain_quota = remain_quota - 7`,
        sql`update spend_limits set spent = spent + 9`,
      ])
        await damage.execute(store.db)
      const { exitCode, said, statements } = runAudit(url)
      expect([exitCode, said]).toEqual([1, expect.anything()])
      for (const line of [
        `wallet = entries - open holds: user ${userId} should be 850 and is 855`,
        `token budget = entries - open holds: token ${tokenId} should be 0 and is -7`,
        `no token budget below zero: token ${tokenId} should be 0 and is -7`,
        'no hold without its process: request stranded holds 100 for a process that is not known any more',
        "no lasting hold without its job: request it's holds 50 for a job that is not there or is over",
        `spent within limits = calls: limit ${limitId} should be 0 and is 9`,
      ])
        expect(said).toContain(`    ${line}\n`)

      for (const statement of statements) await sql.raw(statement).execute(store.db)
      const own = { DATABASE_URL: url, SECRET_KEY, ROOT_PASSWORD }
      await withProgram(own, async program => {
        const balance = async () =>
          (await store.db.selectFrom('users').select('quota').where('id', '=', userId).executeTakeFirst())
            ?.quota
        // Both calls are ended: one at what it is known to have used, the other at nothing.
        await until(async () => (await balance()) === 970)
        // It should have been another: that is set where an entry is made of it.
        const root = await rootClient(program.url)
        const { json } = await root.put('/api/user/', { id: userId, username: 'user-0', quota: 975 })
        expect(json).toMatchObject({ success: true })
        expect(await balance()).toBe(975)
      })
      expect(runAudit(url)).toMatchObject({
        exitCode: 0,
        said: expect.stringContaining('The books agree.\n'),
      })
    } finally {
      await store.close()
    }
  },
)

test('of every check it is said whose its numbers are and what to do, and that amounts are not all', async () => {
  const [engine] = engines
  const store = await openSampleStore((await engine?.freshUrl()) ?? '')
  try {
    const hour = {
      hour: 1_800_000_000,
      user_id: 1,
      token_id: 0,
      channel_id: 0,
      model_name: 'm',
      group: 'default',
    }
    await store.db
      .insertInto('usage_hourly')
      .values({ ...hour, requests: 1, errors: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0 })
      .execute()
    const { checks, differences } = await audit(store.db)
    expect(differences.map(describeDifference)).toEqual([
      'the hour from 2027-01-15T08:00:00.000Z is 0, as it should be, but differs in the number of calls',
    ])
    expect(checks.length).toBeGreaterThan(20)
    for (const { name } of checks) {
      const difference = { check: name, subject: '1', expected: 0, found: 1 }
      expect(describeDifference(difference)).not.toStartWith('1 ')
      expect([name, adviseOn(name)]).not.toEqual([name, ''])
    }
  } finally {
    await store.close()
  }
})

test('of a file that is damaged further in it is said that a backup has to take its place', async () => {
  const [engine] = engines
  const url = (await engine?.freshUrl()) ?? ''
  await (await openSampleStore(url, { secretKey: SECRET_KEY })).close()
  damageTable(url.replace('sqlite:', ''), 'holds')
  const { exitCode, said } = runAudit(url)
  expect(said).toContain('the file is damaged, and a backup has to take its place')
  expect(said.trim().split('\n')).toHaveLength(1)
  expect(exitCode).toBe(78)
})
