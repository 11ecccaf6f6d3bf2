import { afterAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { openHouse } from './house.ts'
import { makeCall } from './load.ts'

afterAll(dropAll)

/** Those that wait for a lock: nobody but the program asks anything of this database meanwhile. */
async function endWaiting(admin: Bun.SQL, isPostgres: boolean): Promise<number> {
  if (isPostgres) {
    const ended = await admin`select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    return ended.length
  }
  // Where locks are told of, nothing new is told to who looks often.
  const waiting = await admin`select id from information_schema.processlist
    where db = database() and command <> 'Sleep' and id <> connection_id() and info like '%for update%'`
  for (const { id } of waiting) await admin.unsafe(`kill query ${id}`).catch(() => {})
  return waiting.length
}

test.each(engines.filter(({ name }) => name !== 'sqlite').map(engine => [engine.name, engine] as const))(
  '%s: a charge whose statement an administrator ends is made later',
  async (name, engine) => {
    const url = await engine.freshUrl()
    const house = await openHouse(url)
    const [admin, locker] = [new Bun.SQL(url, { max: 1 }), new Bun.SQL(url, { max: 1 })]
    try {
      const gateway = await house.start()
      const [payer] = house.payers
      house.upstream.close()
      let [begun, ended] = [0, 0]
      const live = makeCall(
        gateway,
        { id: 'live', payer, tokens: 30, most: 50, atATime: 2 },
        { onSeen: ({ kind }) => kind === 'tokens' && begun++ },
      )
      await until(() => begun > 0)
      const sights = await locker.begin(async locked => {
        await locked`select id from users where id = ${payer.userId} for update`
        house.upstream.open()
        while (!(await Promise.race([live, Bun.sleep(50)])))
          ended += await endWaiting(admin, name === 'postgres')
        return [await live]
      })
      expect(sights.map(({ done, tokens }) => ({ done, tokens }))).toEqual([{ done: true, tokens: 30 }])
      expect(ended).toBeGreaterThan(0)
      expect(await house.faults(sights, { unharmed: true })).toEqual([])
    } finally {
      await house.close()
      await admin.close()
      await locker.close()
    }
  },
)
