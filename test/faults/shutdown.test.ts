import { afterAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { openHouse } from './house.ts'
import { makeCall } from './load.ts'

afterAll(dropAll)

const [sqlite] = engines

test('streams outlive a SIGTERM; a second one cuts them off, and what they brought is charged first', async () => {
  const house = await openHouse((await sqlite?.freshUrl()) ?? '')
  try {
    const gateway = await house.start({ LOG_LEVEL: 'info' })
    let pieces = 0
    const onSeen = ({ kind }: { kind: string }): void => {
      if (kind === 'tokens') pieces++
    }
    const endless = { tokens: 5000, most: 5000, atATime: 1, pauseMs: 50, payer: house.payers[0] }
    const calls = Array.from({ length: 5 }, (_, at) =>
      makeCall(gateway, { id: `c${at}`, ...endless }, { onSeen }),
    )
    await until(() => pieces >= 50)
    // The same word by way of npm is not a second one.
    gateway.terminateTwice()
    await until(() => gateway.output().includes('a second signal cuts it off'))
    const before = pieces
    await Bun.sleep(1200)
    await until(() => pieces >= before + 50)
    gateway.terminate()
    const sights = await Promise.all(calls)
    expect(sights.map(({ broken }) => broken)).toEqual(calls.map(() => true))
    expect(await gateway.exited).toBe(0)
    const { db } = house.store
    expect(await db.selectFrom('holds').selectAll().where('state', '=', 'open').execute()).toEqual([])
    const charges = await db
      .selectFrom('ledger_entries')
      .select('user_amount')
      .where('kind', '=', 'charge')
      .execute()
    expect(charges).toHaveLength(sights.length)
  } finally {
    await house.close()
  }
})
