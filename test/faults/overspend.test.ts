import { afterAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { setQuota } from '../../server/ledger/wallet-moves.ts'
import { morePatience } from '../more-patience.ts'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { bodyOf } from './gateway.ts'
import { type House, openHouse } from './house.ts'
import { type Call, makeCall, type Sight } from './load.ts'
import { addToken, addUsers, now, PRICE } from './seed.ts'

afterAll(dropAll)

const each = engines.map(engine => [engine.name, engine] as const)

async function addPayer(house: House, quota: number) {
  const [userId = 0] = await addUsers(house.store, `payer-${crypto.randomUUID()}`, 1, quota)
  return addToken(house.store, userId)
}

async function quotaOf({ store }: House, id: number): Promise<number> {
  const user = store.db.selectFrom('users').select('quota').where('id', '=', id)
  return (await user.executeTakeFirstOrThrow()).quota
}

/** A call on a connection of its own: the runtime's client would send only 256 at once. */
function rawCall(url: string, call: Call): { begun: Promise<string>; whole: Promise<string> } {
  const begun = Promise.withResolvers<string>()
  const whole = Promise.withResolvers<string>()
  const body = bodyOf(call)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let text = ''
  socket.on('data', bytes => {
    text += bytes
    begun.resolve(text)
  })
  socket.on('error', error => {
    begun.reject(error)
    whole.reject(error)
  })
  socket.on('close', () => {
    begun.resolve(text)
    whole.resolve(text)
  })
  const head = `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${call.payer.key}\r\nContent-Type: application/json`
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  return { begun: begun.promise, whole: whole.promise }
}

test.concurrent.each(each)(
  'a thousand calls at once that could each spend half the balance: two are served (%s)',
  async (_name, engine) => {
    const house = await openHouse(await engine.freshUrl())
    try {
      // A thousand wait for the database at once: on a busy machine longer than it is waited for otherwise.
      const patience = morePatience({ 10000: 120_000, 20000: 120_000 })
      const gateway = await house.start({ WORKERS: '2', ...patience })
      await until(() => gateway.workerPids().length === 2)
      const balance = 1000 * PRICE
      const payer = await addPayer(house, balance)
      // The answers that begin stand still until the others have been decided on.
      house.upstream.close()
      const made = Array.from({ length: 1000 }, (_, at) => {
        return { id: `half-${at}`, payer, tokens: 500, most: 500, atATime: 50 }
      })
      const calls = made.map(call => rawCall(gateway.url, call))
      const begun = await Promise.all(calls.map(call => call.begun))
      house.upstream.open()
      await Promise.all(calls.map(call => call.whole))
      expect(begun.filter(text => text.startsWith('HTTP/1.1 200'))).toHaveLength(2)
      expect(begun.filter(text => text.startsWith('HTTP/1.1 403'))).toHaveLength(998)
      // Nobody else was so much as asked for, and all that was produced is paid.
      const served = [...house.upstream.record.values()]
      expect(served.map(({ asked, whole }) => [asked, whole])).toEqual([
        [1, true],
        [1, true],
      ])
      const tokens = served.reduce((sum, each) => sum + each.tokens, 0)
      const left = await quotaOf(house, payer.userId)
      expect(left).toBeGreaterThanOrEqual(0)
      expect(Math.floor((balance - left) / PRICE)).toBe(tokens)
      expect(await house.faults([], { unseen: made })).toEqual([])
    } finally {
      await house.close()
    }
  },
)

test('a wallet that another node has emptied serves nothing that is not paid', async () => {
  const house = await openHouse((await engines[0]?.freshUrl()) ?? '')
  try {
    const gateway = await house.start()
    const sights: Sight[] = []
    let seen: Sight | undefined
    // The program has just read how much there is, and is not told; unless it happened to look again in that moment.
    for (let round = 0; seen?.refused === undefined; round++) {
      const payer = await addPayer(house, 1000 * PRICE)
      const call = (id: string) =>
        makeCall(gateway, { id: `${id}-${round}`, payer, tokens: 50, most: 50, pauseMs: 0 })
      const first = await call('first')
      expect(first.refused).toBeUndefined()
      const left = { userId: payer.userId, quota: 30 * PRICE }
      await house.store.transaction(transaction =>
        setQuota(transaction, house.store, now(), left, () => ({ type: 3, content: '' })),
      )
      seen = await call('second')
      const last = seen.refused === undefined ? seen : await call('third')
      // Once it is known how little there is, the answer is made as short as that.
      expect(last.refused).toBeUndefined()
      expect(last.tokens).toBeLessThan(30)
      sights.push(first, seen, ...(last === seen ? [] : [last]))
    }
    expect(seen?.refused).toBe(403)
    expect(await house.faults(sights, { unharmed: true })).toEqual([])
  } finally {
    await house.close()
  }
})
