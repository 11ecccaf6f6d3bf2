import { afterAll, expect, test } from 'bun:test'
import { readEnv } from '../../server/env.ts'
import { openStore } from '../../server/store/index.ts'
import { deliver, eventOf, startStripe } from '../api/wallet/stripe-stand-in.ts'
import { Client, rootClient } from '../client.ts'
import { ROOT_PASSWORD, startProgram, until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { SECRET_KEY } from './gateway.ts'
import { newSeed, seeded } from './random.ts'
import { addUsers } from './seed.ts'

afterAll(dropAll)

const ORDERS = 120
const KILLS = 5
const ACCESS_TOKEN = 'access-token-of-the-one-who-buys'

test.concurrent.each(engines.map(engine => [engine.name, engine] as const))(
  'workers are killed five times while 120 payments are told of twice each: all are credited, each once (%s)',
  async (_name, engine) => {
    const seed = newSeed()
    const random = seeded(seed)
    const url = await engine.freshUrl()
    const stripe = await startStripe()
    const program = await startProgram({ DATABASE_URL: url, SECRET_KEY, ROOT_PASSWORD, WORKERS: '2' })
    const store = await openStore({ ...readEnv({ DATABASE_URL: url }).database, secretKey: SECRET_KEY })
    try {
      const root = await rootClient(program.url)
      for (const [key, value] of Object.entries({ GlobalApiRateLimit: '0', ...stripe.settings }))
        expect((await root.saveOption(key, value)).json).toMatchObject({ success: true })
      const [buyer = 0] = await addUsers(store, 'buyer', 1, 0, () => ({
        access_token_hash: store.cipher.hash('access-token', ACCESS_TOKEN),
      }))
      const order = () =>
        new Client(program.url).post('/api/user/stripe/pay', { amount: 1 }, { authorization: ACCESS_TOKEN })
      // The setting may still be on its way to the other worker.
      await until(async () =>
        (await Promise.all([order(), order(), order()])).every(({ status }) => status === 200),
      )
      while (stripe.sessions.length < ORDERS) await order()
      const { sessions } = stripe
      const thanked = new Set<string>()
      let answered = 0
      // Both workers are there when a round begins, and payments are told of until one of them is killed.
      let round = Promise.resolve<unknown>(undefined)
      // Each is told of until it is thanked for, by two senders who know nothing of each other.
      const senders = Array.from({ length: 16 }, async (_, who) => {
        for (const [at, session] of sessions.entries()) {
          if (at % 8 !== who % 8) continue
          await round
          const payload = eventOf('checkout.session.completed', session)
          await until(async () => {
            const answer = await deliver(program.url, payload).catch(() => '')
            return answer.startsWith('200')
          })
          thanked.add(session.id)
          answered++
        }
      })
      for (let time = 1; time <= KILLS; time++) {
        const workers = await until(() => {
          const pids = program.workerPids()
          return pids.length === 2 ? pids : undefined
        })
        const worker = workers[random(0, 1)] as number
        await until(() => answered > (time * sessions.length * 2) / (KILLS + 1))
        await Bun.sleep(random(0, 10))
        round = until(() => program.workerPids().length === 2 && !program.workerPids().includes(worker))
        process.kill(worker, 'SIGKILL')
        await round
      }
      await Promise.all(senders)
      const entries = await store.db
        .selectFrom('ledger_entries')
        .select(['ref', 'user_amount'])
        .where('kind', '=', 'top-up')
        .execute()
      const told = sessions.map(({ fields }) => fields.client_reference_id ?? '')
      expect({ seed, refs: entries.map(({ ref }) => ref).sort() }).toEqual({ seed, refs: told.sort() })
      expect(new Set(entries.map(({ user_amount }) => user_amount))).toEqual(new Set([500_000]))
      expect(thanked.size).toBe(sessions.length)
      const { quota } = await store.db
        .selectFrom('users')
        .select('quota')
        .where('id', '=', buyer)
        .executeTakeFirstOrThrow()
      expect({ seed, quota }).toEqual({ seed, quota: 500_000 * sessions.length })
      const open = await store.db
        .selectFrom('top_ups')
        .select('id')
        .where('status', '!=', 'success')
        .execute()
      expect({ seed, open }).toEqual({ seed, open: [] })
      await until(async () => (await root.get('/readyz').catch(() => undefined))?.status === 200)
      expect((await root.get('/api/ledger/audit')).json.data.differences).toEqual([])
    } finally {
      await store.close()
      await program.stop()
      await stripe.stop()
    }
  },
)
