import { afterAll, expect, test } from 'bun:test'
import { killAll, startProgram, until } from '../program.ts'
import { SECRET_KEY } from '../relay/rig.ts'
import { catchError } from '../sdk/sdk-errors.ts'
import { dropAll, engines } from '../services/databases.ts'
import { looksWhenTold } from '../tasks/house.ts'
import { GONE, type InteractionHouse, isHeld, MODEL, openInteractionHouse, statusOf } from './house.ts'

const times = { beatMs: 500, reapMs: 300, deadAfterMs: 4500, refillMs: 500 }
const DAY = 86_400

afterAll(dropAll)

const rowsOf = ({ store }: InteractionHouse) =>
  store.db.selectFrom('background_responses').selectAll().execute()

/** Whatever a client was told of is paid to the unit, whichever line the process died at; and nothing else is. */
test.each(engines)('on $name: killed while interactions begin, and again while they end', async engine => {
  const DATABASE_URL = await engine.freshUrl()
  const house = await openInteractionHouse({}, { DATABASE_URL }, times)
  const { key, userId } = house.payer
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  house.upstream.always({ job: { until: promise } })
  const heard: string[] = []
  const begin = async (): Promise<void> => {
    const body = {
      ...{ model: MODEL, input: 'Write a novel', background: true },
      generation_config: { max_output_tokens: 100 },
    }
    const { status, json } = await house.call('POST', '/v1/interactions', body)
    if (status === 200) heard.push(json.id)
  }
  const calls = Promise.allSettled(Array.from({ length: 20 }, begin))
  await until(() => heard.length >= 5)
  killAll(house.program)
  await calls
  // What was begun and never written down is given up by whoever finds the dead.
  const running = await until(async () => {
    const rows = await rowsOf(house)
    const open = await house.store.db.selectFrom('holds').select('id').where('state', '=', 'open').execute()
    return open.length === rows.length ? rows : undefined
  })
  expect(heard.filter(id => !running.some(row => row.response_id === id))).toEqual([])
  for (const { request_id } of running) expect(await isHeld(house, request_id)).toBe(true)

  finish()
  const second = await startProgram({ SECRET_KEY, DATABASE_URL, DATA_DIR: house.program.dataDir })
  // Clients make the new process look, which dies while it does.
  const headers = { 'x-goog-api-key': key }
  const asking = Promise.allSettled(
    heard.map(id => fetch(`${second.url}/v1/interactions/${encodeURIComponent(id)}`, { headers })),
  )
  await until(async () => (await rowsOf(house)).some(({ state }) => state === 'ended'))
  killAll(second)
  await asking
  await until(async () => {
    await house.poll(0, 3)
    return (await rowsOf(house)).every(({ state }) => state === 'ended')
  })
  expect(await house.differences()).toEqual([])
  const paid = running.length * house.price('Write a novel')
  expect(await house.balance(userId)).toBe(50_000_000 - paid)
  expect(house.upstream.complaints).toEqual([])
  await house.close()
})

test('what its vendor forgets, never ends or loses with its channel has a rule', async () => {
  const house = await openInteractionHouse({}, looksWhenTold)
  const { userId } = house.payer
  const before = await house.balance(userId)
  const never = { job: { until: new Promise(() => {}) } }

  // Forgotten: it is asked for half an hour, and then costs nothing.
  house.upstream.next(never)
  const forgotten = await house.begin('Forget this')
  house.upstream.always(house.upstream.failWith('not-found'))
  await house.poll()
  await house.poll(1700)
  expect(await isHeld(house, forgotten.requestId)).toBe(true)
  expect(statusOf(await catchError(house.client.interactions.get(forgotten.id)))).toBe(404)
  await house.poll(1900)
  expect(await isHeld(house, forgotten.requestId)).toBe(false)
  house.upstream.always({})

  // It never ends: after a day it is cancelled, for what the vendor says was used.
  const used = { total_input_tokens: 7, total_output_tokens: 1, total_tokens: 8 }
  house.upstream.next({ job: { ...never.job, used } })
  const endless = await house.begin('For ever')
  await house.poll(DAY - 60)
  expect(await isHeld(house, endless.requestId)).toBe(true)
  await house.poll(DAY + 60)
  expect(await house.chargeOf(endless.requestId)).toBe(10)

  // Its channel is removed.
  house.other.next(never)
  const orphan = await house.begin('Orphan', { model: GONE })
  await house.store.change('channels', transaction =>
    transaction.deleteFrom('channels').where('name', '=', 'gone').execute(),
  )
  await until(async () => {
    await house.poll()
    return !(await isHeld(house, orphan.requestId))
  })
  expect(before - (await house.balance(userId))).toBe(10)
  expect(await house.differences()).toEqual([])
  await house.close()
})
