import { afterAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { credit } from '../../server/ledger/entries.ts'
import { setQuota } from '../../server/ledger/wallet-moves.ts'
import { dropAll, engines } from '../services/databases.ts'
import { addPayers, now, openHouse } from './house.ts'
import { type Call, makeCall } from './load.ts'

afterAll(dropAll)

const each = engines.map(engine => [engine.name, engine] as const)
const quotaOf = async (house: Awaited<ReturnType<typeof openHouse>>, id: number): Promise<number> =>
  (await house.store.db.selectFrom('users').select('quota').where('id', '=', id).executeTakeFirstOrThrow())
    .quota

/** A call on a connection of its own: the runtime's client would send only 256 at once. */
function rawCall(url: string, call: Call): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const body = JSON.stringify(call)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let text = ''
  socket.on('data', bytes => {
    text += bytes
  })
  socket.on('error', reject)
  socket.on('close', () => resolve(text))
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  return promise
}

test.each(each)(
  'a thousand calls at once that could each spend half the balance: two are served (%s)',
  async (_name, engine) => {
    const house = await openHouse(await engine.freshUrl())
    try {
      const spenders = [await house.spend(), await house.spend()]
      const [payer] = await addPayers(house.store, 'half', 1, 1000)
      const answers = await Promise.all(
        Array.from({ length: 1000 }, (_, at) =>
          rawCall(spenders[at % 2]?.url ?? '', {
            id: `half-${at}`,
            userId: payer?.userId ?? 0,
            tokenId: 0,
            tokens: 500,
            most: 500,
            least: 500,
            atATime: 500,
          }),
        ),
      )
      expect(answers.filter(text => text.includes('"charge":500'))).toHaveLength(2)
      expect(answers.filter(text => text.startsWith('HTTP/1.1 403'))).toHaveLength(998)
      expect(await house.faults([])).toEqual([])
      expect(await quotaOf(house, payer?.userId ?? 0)).toBe(0)
    } finally {
      await house.close()
    }
  },
  60_000,
)

test.each(each)(
  'an administrator edits and credits a wallet during 500 calls: the sums are exact to the unit (%s)',
  async (_name, engine) => {
    const house = await openHouse(await engine.freshUrl())
    try {
      const spender = await house.spend()
      const { store } = house
      const [payer] = await addPayers(store, 'busy', 1, 100_000)
      const userId = payer?.userId ?? 0
      let finished = 0
      const calls = Array.from({ length: 500 }, async (_, at) => {
        const tokens = 1 + (at % 30)
        const call = { id: `busy-${at}`, userId, tokenId: 0, tokens, most: 40, least: 40, pauseMs: 5 }
        const sight = await makeCall(spender, call, at % 25 === 0 ? { leaveAfter: 1 } : {})
        finished++
        return sight
      })
      const credits: number[] = []
      const edits = async (): Promise<void> => {
        for (let at = 1; finished < 500; at++) {
          const quota = 90_000 + house.random(0, 20_000)
          await setQuota(store, now(), { userId, quota }, former => ({ type: 3, content: `from ${former}` }))
          const amount = house.random(1, 1000)
          credits.push(amount)
          await credit(store, now(), { kind: 'top-up', ref: `order-${at}`, userId, amount })
        }
      }
      const [sights] = await Promise.all([Promise.all(calls), edits()])
      expect(await house.faults(sights)).toEqual([])
      const entries = await store.db
        .selectFrom('ledger_entries')
        .select(['kind', 'user_amount'])
        .where('user_id', '=', userId)
        .execute()
      const sum = (kind?: string): number =>
        entries
          .filter(entry => kind === undefined || entry.kind === kind)
          .reduce((total, entry) => total + entry.user_amount, 0)
      expect(await quotaOf(house, userId)).toBe(sum())
      expect(sum('top-up')).toBe(credits.reduce((total, amount) => total + amount, 0))
      // Those who left early were charged without being told.
      const told = sights.reduce((total, { charge = 0 }) => total + charge, 0)
      expect(-sum('charge')).toBeGreaterThanOrEqual(told)
      expect(sights.every(({ refused }) => refused === undefined)).toBe(true)
    } finally {
      await house.close()
    }
  },
  60_000,
)
