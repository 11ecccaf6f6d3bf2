import { afterAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { openHolds } from './auditor.ts'
import { type House, openHouse } from './house.ts'
import { makeCall, type Seen } from './load.ts'
import { withProxiedHouse } from './proxied-house.ts'

afterAll(dropAll)

const STREAMS = 20
const each = engines.map(engine => [engine.name, engine] as const)

/** Streams that have begun and then stand still: half of them past a checkpoint, half before the first. */
async function standingStreams(house: House, target: Parameters<typeof makeCall>[0]) {
  const marked = new Set<number>()
  let begun = 0
  house.upstream.close()
  const { userId = 0, tokenId = 0 } = house.payers[0] ?? {}
  const live = Array.from({ length: STREAMS }, (_, at) => {
    const atATime = at % 2 === 0 ? 2 : 10
    const call = { id: `live-${at}`, userId, tokenId, tokens: 30, most: 50, atATime }
    const onSeen = (seen: Seen): void => {
      if (seen.kind === 'tokens') begun++
      if (seen.kind === 'checkpoint') marked.add(at)
    }
    return makeCall(target, call, { onSeen })
  })
  await until(() => begun === STREAMS && marked.size === STREAMS / 2)
  return live
}

async function nodeOf(house: House, id: string): Promise<string> {
  const { node_id } = await house.store.db
    .selectFrom('holds')
    .select('node_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return node_id
}

test.each(each)(
  'a process frozen for too long finds its requests finished, moves nothing twice, and goes on under a new name (%s)',
  async (_name, engine) => {
    const house = await openHouse(await engine.freshUrl())
    try {
      const [frozen] = [await house.spend(), await house.spend()]
      const live = await standingStreams(house, frozen)
      const former = await nodeOf(house, 'live-0')
      frozen.signal('SIGSTOP')
      await until(async () => (await openHolds(house.store)) === 0)
      frozen.signal('SIGCONT')
      house.upstream.open()
      const sights = await Promise.all(live)
      // Told what was charged in truth: the checkpoint, or nothing.
      expect(sights.map(({ charge }) => charge)).toEqual(sights.map((_, at) => (at % 2 === 0 ? 0 : 10)))
      await until(async () => {
        const { userId = 0, tokenId = 0 } = house.payers[0] ?? {}
        const id = `after-${crypto.randomUUID()}`
        sights.push(await makeCall(frozen, { id, userId, tokenId, tokens: 4, most: 4 }))
        return (await nodeOf(house, id)) !== former
      })
      expect(await house.faults(sights)).toEqual([])
    } finally {
      await house.close()
    }
  },
  60_000,
)

test.each(each.filter(([name]) => name !== 'sqlite'))(
  'a process cut off from the database while another finishes its requests promises no charge that is not made (%s)',
  async (_name, engine) => {
    await withProxiedHouse(engine, async ({ house, proxy, proxied }) => {
      const [cutOff] = [await house.spend(proxied), await house.spend()]
      const live = await standingStreams(house, cutOff)
      await proxy.cut()
      await until(async () => (await openHolds(house.store)) === 0)
      house.upstream.open()
      const sights = await Promise.all(live)
      await proxy.mend()
      expect(await house.faults(sights)).toEqual([])
    })
  },
  60_000,
)
