import { afterAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { dropAll, engines, startMariadb, startPostgres } from '../services/databases.ts'
import { journalFiles } from './auditor.ts'
import type { Gateway } from './gateway.ts'
import { type House, openHouse } from './house.ts'
import { type Call, makeCall, type Sight } from './load.ts'
import { withProxiedHouse } from './proxied-house.ts'

afterAll(dropAll)

const servers = [
  ['postgres', startPostgres],
  ['mariadb', startMariadb],
] as const

function callOf(house: House, id: string, more: Partial<Call> = {}): Call {
  return { id, payer: house.payers[0], tokens: 60, most: 100, ...more }
}

/** Streams of one second to `longest`, of which each has brought its first tokens; they go on when the upstream opens. */
async function liveStreams(
  house: House,
  gateway: Gateway,
  name: string,
  longest: number,
): Promise<Promise<Sight>[]> {
  const begun = new Set<number>()
  house.upstream.close()
  const live = Array.from({ length: 20 }, (_, at) => {
    const tokens = 20 + Math.round((at * (longest - 1) * 20) / 19)
    const call = callOf(house, `${name}-${at}`, { tokens, most: tokens, atATime: 1, pauseMs: 50 })
    return makeCall(gateway, call, { onSeen: ({ kind }) => kind === 'tokens' && begun.add(at) })
  })
  await until(() => begun.size === live.length)
  return live
}

const rounds = [
  // What it promised is in its journal when it dies; the next one must find it.
  { longest: 5, isKilled: true },
  // For longer than the time after which a silent process counts as dead.
  { longest: 17, isKilled: false },
]

const ends = (sights: readonly Sight[]) =>
  sights.map(({ call, done, refused, tokens }) => ({ id: call.id, done, refused, tokens }))
const wholeOf = (sights: readonly Sight[]) =>
  sights.map(({ call }) => ({ id: call.id, done: true, refused: undefined, tokens: call.tokens }))

test.concurrent.each(servers)(
  'the database crashes under live streams: they finish, new calls are refused, nothing is lost (%s)',
  async (_name, start) => {
    const server = await start()
    const house = await openHouse(server.url)
    try {
      const gateway = await house.start()
      const sights: Sight[] = []
      for (const [round, { longest, isKilled }] of rounds.entries()) {
        const live = await liveStreams(house, gateway, `live-${round}`, longest)
        await server.stop('crash')
        house.upstream.open()
        const refused = await Promise.all(
          Array.from({ length: 20 }, (_, at) => makeCall(gateway, callOf(house, `late-${round}-${at}`))),
        )
        expect(refused.map(sight => sight.refused)).toEqual(refused.map(() => 503))
        const finished = await Promise.all(live)
        expect(ends(finished)).toEqual(wholeOf(finished))
        expect(journalFiles(house.dataDir)).toHaveLength(1)
        const back = isKilled ? gateway.killAndRestart('worker') : undefined
        await server.start()
        await back
        sights.push(...finished, ...refused)
        expect(await house.faults(sights, { unharmed: true })).toEqual([])
        const after = await makeCall(gateway, callOf(house, `after-${round}`))
        expect(ends([after])).toEqual(wholeOf([after]))
        sights.push(after)
      }
    } finally {
      await house.close()
      await server.close()
    }
  },
  600_000,
)

test.concurrent.each(
  engines.filter(({ name }) => name === 'postgres').map(engine => [engine.name, engine] as const),
)(
  'the database goes silent under live streams: they finish, and nothing waits for ever (%s)',
  async (_name, engine) => {
    await withProxiedHouse(engine, async ({ house, proxy, proxied }) => {
      const gateway = await house.start({ DATABASE_URL: proxied })
      const live = await liveStreams(house, gateway, 'live', 4)
      proxy.silence()
      house.upstream.open()
      const late = await makeCall(gateway, callOf(house, 'late'))
      expect([undefined, 503]).toContain(late.refused)
      const finished = await Promise.all(live)
      expect(ends(finished)).toEqual(wholeOf(finished))
      await proxy.cut()
      await proxy.mend()
      expect(await house.faults([...finished, late], { unharmed: true })).toEqual([])
    })
  },
  600_000,
)
