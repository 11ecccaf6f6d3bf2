import { afterAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { dropAll, engines, startMariadb, startPostgres } from '../services/databases.ts'
import { journalFiles } from './auditor.ts'
import { type House, openHouse } from './house.ts'
import { type Call, makeCall, type Sight, type Target } from './load.ts'
import { withProxiedHouse } from './proxied-house.ts'

afterAll(dropAll)

const servers = [
  ['postgres', startPostgres],
  ['mariadb', startMariadb],
] as const

function callOf(house: House, id: string, more: Partial<Call> = {}): Call {
  const { userId = 0, tokenId = 0 } = house.payers[0] ?? {}
  return { id, userId, tokenId, tokens: 60, most: 100, ...more }
}

/** Streams of different lengths, each of which has brought its first tokens. */
async function liveStreams(house: House, target: Target, name: string): Promise<Promise<Sight>[]> {
  const begun = new Set<number>()
  const live = Array.from({ length: 20 }, (_, at) => {
    const call = callOf(house, `${name}-${at}`, { tokens: 60 + at * 20, most: 500 })
    return makeCall(target, call, { onSeen: () => begun.add(at) })
  })
  await until(() => begun.size === live.length)
  return live
}

test.each(servers)(
  'the database crashes under live streams: they finish, new calls are refused, nothing is lost (%s)',
  async (_name, start) => {
    const server = await start()
    const house = await openHouse(server.url)
    try {
      const spender = await house.spend()
      for (const round of [1, 2]) {
        const live = await liveStreams(house, spender, `live-${round}`)
        house.upstream.close()
        await server.stop('crash')
        house.upstream.open()
        const refused = await Promise.all(
          Array.from({ length: 20 }, (_, at) => makeCall(spender, callOf(house, `late-${round}-${at}`))),
        )
        expect(refused.map(sight => sight.refused)).toEqual(refused.map(() => 503))
        const finished = await Promise.all(live)
        // The longest that a stream ran is longer than the time after which a silent process counts as dead.
        expect(finished.map(({ charge }) => charge)).toEqual(finished.map(({ call }) => call.tokens))
        expect(journalFiles(house.dataDir)).toHaveLength(1)
        await server.start()
        const faults = await house.faults([...finished, ...refused])
        expect(faults).toEqual([])
        const after = await makeCall(spender, callOf(house, `after-${round}`))
        expect(after.charge).toBe(60)
      }
    } finally {
      await house.close()
      await server.close()
    }
  },
  120_000,
)

test.each(engines.filter(({ name }) => name === 'postgres').map(engine => [engine.name, engine] as const))(
  'the database goes silent under live streams: they finish, and nothing waits for ever (%s)',
  async (_name, engine) => {
    await withProxiedHouse(engine, async ({ house, proxy, proxied }) => {
      const spender = await house.spend(proxied)
      const live = await liveStreams(house, spender, 'live')
      proxy.silence()
      const late = await makeCall(spender, callOf(house, 'late'))
      expect([undefined, 503]).toContain(late.refused)
      const finished = await Promise.all(live)
      expect(finished.map(({ charge }) => charge)).toEqual(finished.map(({ call }) => call.tokens))
      expect(await house.faults([...finished, late])).toEqual([])
    })
  },
  120_000,
)
