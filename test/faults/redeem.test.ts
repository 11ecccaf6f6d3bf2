import { afterAll, expect, test } from 'bun:test'
import { readEnv } from '../../server/env.ts'
import { AppError } from '../../server/errors.ts'
import { audit } from '../../server/ledger/audit.ts'
import { redeem } from '../../server/ledger/redeem.ts'
import { openStore, type Store } from '../../server/store/index.ts'
import { Client, rootClient } from '../client.ts'
import { morePatience } from '../more-patience.ts'
import { type Program, ROOT_PASSWORD, startProgram, until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { SECRET_KEY } from './gateway.ts'
import { newSeed, seeded } from './random.ts'
import { addUsers, now, setOptions } from './seed.ts'

afterAll(dropAll)

const each = engines.map(engine => [engine.name, engine] as const)
const QUOTA = 500

const openBooks = (url: string): Promise<Store> =>
  openStore({ ...readEnv({ DATABASE_URL: url }).database, secretKey: SECRET_KEY })

async function addCodes(store: Store, keys: readonly string[]): Promise<void> {
  const rows = keys.map(key => ({
    user_id: 1,
    key,
    status: 1,
    name: 'n',
    quota: QUOTA,
    created_time: now(),
    redeemed_time: 0,
    used_user_id: 0,
  }))
  await store.db.insertInto('redemptions').values(rows).execute()
}

/** People who call the API by their access tokens. */
async function addCallers(store: Store, program: Program, count: number) {
  const tokenOf = (at: number): string => `access-token-of-person-number-${at}`
  const users = await addUsers(store, 'caller', count, 0, at => ({
    access_token_hash: store.cipher.hash('access-token', tokenOf(at)),
  }))
  return users.map((userId, at) => ({
    userId,
    redeem: (key: string) =>
      new Client(program.url).post('/api/user/topup', { key }, { authorization: tokenOf(at) }),
  }))
}

async function withProgram(
  url: string,
  work: (program: Program, store: Store, root: Client) => Promise<void>,
): Promise<void> {
  const store = await openBooks(url)
  // Before the start: what one worker is told later, the other hears of in its own time.
  await setOptions(store)
  // A hundred wait for the database at once: on a busy machine longer than it is waited for otherwise.
  const patience = morePatience({ 10000: 120_000, 20000: 120_000 })
  const own = { DATABASE_URL: url, SECRET_KEY, ROOT_PASSWORD, WORKERS: '2' }
  const program = await startProgram({ ...own, ...patience })
  try {
    await work(program, store, await rootClient(program.url))
  } finally {
    await store.close()
    await program.stop()
  }
}

const redemptionsOf = (store: Store) =>
  store.db
    .selectFrom('ledger_entries')
    .select(['ref', 'user_id', 'user_amount'])
    .where('kind', '=', 'redeem')
    .execute()

test.concurrent.each(each)(
  'one code, a hundred users at once on two nodes: one gets it (%s)',
  async (_name, engine) => {
    const url = await engine.freshUrl()
    const stores = [await openBooks(url), await openBooks(url)] as const
    try {
      const [store] = stores
      const users = await addUsers(store, 'user', 100, 0)
      await addCodes(store, ['the-code'])
      const ask = (userId: number, at: number) =>
        redeem(stores[at % 2] ?? store, now(), { key: 'the-code', userId }, () => ({
          type: 1,
          content: '',
        })).catch(error => (error instanceof AppError ? error.code : String(error)))
      // Whose turn does not come for as long as anybody waits for a database, on a busy machine, asks again.
      const untilServed = (userId: number, at: number) =>
        until(async () => {
          const answer = await ask(userId, at)
          return answer === 'store.unavailable' ? undefined : answer
        })
      const answers = await Promise.all(users.map(untilServed))
      expect(answers.filter(answer => answer === QUOTA)).toHaveLength(1)
      expect(answers.filter(answer => answer === 'redeem.used')).toHaveLength(99)
      expect(await redemptionsOf(store)).toEqual([
        { ref: '1', user_id: users[answers.indexOf(QUOTA)] ?? 0, user_amount: QUOTA },
      ])
      expect((await audit(store.db)).differences).toEqual([])
    } finally {
      for (const store of stores) await store.close()
    }
  },
)

test.concurrent.each(each.filter(([name]) => name !== 'sqlite'))(
  'a code that is changed or deleted while someone redeems it gives what it says then (%s)',
  async (_name, engine) => {
    const store = await openBooks(await engine.freshUrl())
    const [userId = 0] = await addUsers(store, 'user', 1, 0)
    await addCodes(store, ['less', 'gone'])
    const whileChanging = (key: string, change: { quota: number } | { deleted_at: number }) =>
      store.transaction(async transaction => {
        await transaction.updateTable('redemptions').set(change).where('key', '=', key).execute()
        const code = { key, userId }
        const answer = redeem(store, now(), code, () => ({ type: 1, content: '' })).catch(error => error.code)
        await Bun.sleep(500)
        return { answer }
      })
    try {
      expect(await (await whileChanging('less', { quota: 7 })).answer).toBe(7)
      expect(await (await whileChanging('gone', { deleted_at: now() })).answer).toBe('redeem.invalid')
      expect((await redemptionsOf(store)).map(({ user_amount }) => user_amount)).toEqual([7])
    } finally {
      await store.close()
    }
  },
)

test.concurrent.each(each)(
  'one code, a hundred users at once at the real program: one gets it (%s)',
  async (_name, engine) => {
    await withProgram(await engine.freshUrl(), async (program, store, root) => {
      const callers = await addCallers(store, program, 100)
      await addCodes(store, ['the-code'])
      const answers = await Promise.all(callers.map(caller => caller.redeem('the-code')))
      const winners = callers.filter((_, at) => answers[at]?.json?.success === true)
      expect(winners).toHaveLength(1)
      expect(answers.every(({ status }) => status === 200)).toBe(true)
      const entries = await redemptionsOf(store)
      expect(entries.map(({ user_id, user_amount }) => [user_id, user_amount])).toEqual([
        [winners[0]?.userId ?? 0, QUOTA],
      ])
      expect((await root.get('/api/ledger/audit')).json.data.differences).toEqual([])
    })
  },
)

test.concurrent.each(each)(
  'workers are killed five times while 20 people redeem 200 codes: each is credited once, none in vain (%s)',
  async (_name, engine) => {
    const seed = newSeed()
    const random = seeded(seed)
    await withProgram(await engine.freshUrl(), async (program, store, root) => {
      const callers = await addCallers(store, program, 20)
      const codes = Array.from({ length: 200 }, (_, at) => `code-${at}`)
      await addCodes(store, codes)
      const told: [string, number][] = []
      let answered = 0
      // Each code is tried by two people, who ask again until they get an answer that is final.
      const people = callers.map(async ({ userId, redeem: ask }, who) => {
        for (const [at, key] of codes.entries()) {
          if (at % 10 !== who % 10) continue
          await until(async () => {
            const answer = await ask(key).catch(() => undefined)
            if (answer?.status !== 200 || answer.json === undefined) return false
            if (answer.json.success) told.push([key, userId])
            answered++
            return true
          })
        }
      })
      for (let time = 0; time < 5; time++) {
        const workers = await until(() =>
          program.workerPids().length === 2 ? program.workerPids() : undefined,
        )
        const worker = workers[random(0, 1)]
        const before = answered
        await until(() => answered > before + 5 || answered === 400)
        await Bun.sleep(random(0, 50))
        if (worker) process.kill(worker, 'SIGKILL')
        await until(() => !program.workerPids().includes(worker ?? 0))
      }
      await Promise.all(people)
      const entries = await redemptionsOf(store)
      const ids = await store.db.selectFrom('redemptions').select(['id', 'key']).execute()
      const ownerOf = new Map(entries.map(({ ref, user_id }) => [ref, user_id]))
      expect({ seed, credited: ownerOf.size, entries: entries.length }).toEqual({
        seed,
        credited: 200,
        entries: 200,
      })
      const refOf = new Map(ids.map(({ id, key }) => [key, String(id)]))
      const inVain = told.filter(([key, userId]) => ownerOf.get(refOf.get(key) ?? '') !== userId)
      expect({ seed, inVain }).toEqual({ seed, inVain: [] })
      await until(async () => (await root.get('/readyz').catch(() => undefined))?.status === 200)
      expect((await root.get('/api/ledger/audit')).json.data.differences).toEqual([])
    })
  },
)
