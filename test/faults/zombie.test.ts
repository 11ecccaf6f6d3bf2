import { afterAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { openHolds } from './auditor.ts'
import type { Gateway } from './gateway.ts'
import { type House, openHouse } from './house.ts'
import { makeCall, type Sight } from './load.ts'
import { withProxiedHouse } from './proxied-house.ts'
import { PRICE } from './seed.ts'

afterAll(dropAll)

const STREAMS = 20
const PAST = 10
const each = engines.map(engine => [engine.name, engine] as const)

/** Streams that have begun and then stand still: half of them past a checkpoint, half before the first. */
async function standingStreams(house: House, gateway: Gateway): Promise<Promise<Sight>[]> {
  let begun = 0
  house.upstream.close()
  const live = Array.from({ length: STREAMS }, (_, at) => {
    // Checkpoints are made of what has been counted, and that begins with the first 64 KB.
    const kind = at % 2 === 0 ? { atATime: 2 } : { atATime: PAST, padding: 70_000 }
    const call = { id: `live-${at}`, payer: house.payers[0], tokens: 30, most: 50, ...kind }
    return makeCall(gateway, call, { onSeen: seen => seen.kind === 'tokens' && begun++ })
  })
  await until(async () => begun === STREAMS && (await house.noteCheckpoints()) === STREAMS / 2)
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

test.concurrent.each(each)(
  'a process frozen for too long finds its requests finished, moves nothing twice, and goes on under a new name (%s)',
  async (_name, engine) => {
    const house = await openHouse(await engine.freshUrl())
    try {
      const [frozen] = [await house.start(), await house.start()]
      const live = await standingStreams(house, frozen)
      frozen.freeze()
      await until(async () => (await openHolds(house.store)) === 0)
      frozen.thaw()
      house.upstream.open()
      const sights = await Promise.all(live)
      // What the others charged stands: nothing, or the checkpoint, without the last word, which might have gone on.
      const outlived = new Map(
        sights.map(({ requestId }, at) => [requestId, at % 2 === 0 ? 0 : (PAST - 1) * PRICE]),
      )
      expect(outlived.size).toBe(STREAMS)
      const former = await nodeOf(house, sights[0]?.requestId ?? '')
      await until(async () => {
        const call = { id: `after-${crypto.randomUUID()}`, payer: house.payers[0], tokens: 4, most: 4 }
        const after = await makeCall(frozen, call)
        sights.push(after)
        return after.done && (await nodeOf(house, after.requestId)) !== former
      })
      expect(await house.faults(sights, { outlived })).toEqual([])
    } finally {
      await house.close()
    }
  },
)

test.concurrent.each(each.filter(([name]) => name !== 'sqlite'))(
  'a process cut off from the database while another finishes its requests promises no charge that is not made (%s)',
  async (_name, engine) => {
    await withProxiedHouse(engine, async ({ house, proxy, proxied }) => {
      const [cutOff] = [await house.start({ DATABASE_URL: proxied }), await house.start()]
      const live = await standingStreams(house, cutOff)
      await proxy.cut()
      await until(async () => (await openHolds(house.store)) === 0)
      house.upstream.open()
      const sights = await Promise.all(live)
      await proxy.mend()
      expect(await house.faults(sights)).toEqual([])
      expect(sights.every(({ done }) => done)).toBe(true)
    })
  },
)
