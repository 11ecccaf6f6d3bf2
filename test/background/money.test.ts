import { afterAll, expect, test } from 'bun:test'
import { AppError } from '../../server/errors.ts'
import { pollJobs } from '../../server/relay/background/poll-jobs.ts'
import type { RelayParts } from '../../server/relay/parts.ts'
import { killAll, startProgram, until } from '../program.ts'
import { SECRET_KEY } from '../relay/rig.ts'
import { catchError, statusOf } from '../sdk/sdk-errors.ts'
import { dropAll, engines } from '../services/databases.ts'
import { freePort } from '../services/free-port.ts'
import { looksWhenTold } from '../tasks/house.ts'
import { type BackgroundHouse, GONE, isHeld, MODEL, openBackgroundHouse } from './house.ts'

const times = { beatMs: 500, reapMs: 300, deadAfterMs: 4500, refillMs: 500 }
const DAY = 86_400

afterAll(dropAll)

const rowsOf = ({ store }: BackgroundHouse) =>
  store.db.selectFrom('background_responses').selectAll().execute()

/** Whatever a client was told of is paid to the unit, whichever line the process died at; and nothing else is. */
test.each(engines)('on $name: killed while responses begin, and again while they end', async engine => {
  const DATABASE_URL = await engine.freshUrl()
  const house = await openBackgroundHouse({}, { DATABASE_URL }, times)
  const { key, userId } = house.payer
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  house.upstream.always({ job: { until: promise } })
  const heard: string[] = []
  const begin = async (): Promise<void> => {
    const body = { model: MODEL, input: 'Write a novel', background: true, max_output_tokens: 100 }
    const { status, json } = await house.call('POST', '/v1/responses', body)
    if (status === 200) heard.push(json.id)
  }
  const nodes = async () =>
    (await house.store.db.selectFrom('nodes').select('id').execute()).map(({ id }) => id)
  const known = await nodes()
  const calls = Promise.allSettled(Array.from({ length: 30 }, begin))
  await until(() => heard.length >= 6)
  killAll(house.program)
  await calls
  // Whoever finishes what the dead have left open has been here, and left the responses alone.
  await until(async () => {
    const living = await nodes()
    return known.some(id => !living.includes(id))
  })
  const running = await rowsOf(house)
  expect(heard.filter(id => !running.some(row => row.response_id === id))).toEqual([])
  for (const { request_id } of running) expect(await isHeld(house, request_id)).toBe(true)
  await until(async () => {
    const open = await house.store.db.selectFrom('holds').select('id').where('state', '=', 'open').execute()
    return open.length === running.length
  })

  finish()
  const second = await startProgram({ SECRET_KEY, DATABASE_URL, DATA_DIR: house.program.dataDir })
  // Clients make the new process look, which dies while it does.
  const headers = { authorization: `Bearer ${key}` }
  const asking = Promise.allSettled(heard.map(id => fetch(`${second.url}/v1/responses/${id}`, { headers })))
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
  const { used_quota, request_count } = await house.store.db
    .selectFrom('users')
    .select(['used_quota', 'request_count'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  expect({ used_quota, request_count }).toEqual({ used_quota: paid, request_count: running.length })
  const logged = await house.store.db.selectFrom('logs').select('quota').where('quota', '>', 0).execute()
  expect(logged).toHaveLength(running.length)
  expect(house.upstream.complaints).toEqual([])
  await house.close()
})

test('what its vendor forgets, never ends or loses with its channel has a rule', async () => {
  const house = await openBackgroundHouse({}, looksWhenTold)
  const { userId } = house.payer
  const before = await house.balance(userId)
  const never = { job: { until: new Promise(() => {}) } }
  const begin = (input: string, model = MODEL) => house.begin(input, { model })

  // Forgotten: it is asked for half an hour, and then costs nothing.
  house.upstream.next(never)
  const forgotten = await begin('Forget this')
  const missing = {
    status: 404,
    body: { error: { message: 'Response not found.', type: 'invalid_request_error' } },
  }
  house.upstream.always(missing)
  await house.poll()
  await house.poll(1700)
  expect(await isHeld(house, forgotten.requestId)).toBe(true)
  expect(statusOf(await catchError(house.client.responses.retrieve(forgotten.id)))).toBe(404)
  await house.poll(1900)
  expect(await isHeld(house, forgotten.requestId)).toBe(false)
  expect((await house.logOf(forgotten.requestId)).content).toContain('30')

  // A page that is not the vendor's says nothing of it.
  house.upstream.always({})
  house.upstream.next(never)
  const behind = await begin('Behind a proxy')
  house.upstream.always({ status: 404, body: '<html>' })
  await house.poll()
  await house.poll(1900)
  expect(await isHeld(house, behind.requestId)).toBe(true)
  house.upstream.always({})
  await house.client.responses.cancel(behind.id)

  // It never ends: after a day it is cancelled, for what the vendor says was used.
  const used = {
    ...{ input_tokens: 7, output_tokens: 1, total_tokens: 8 },
    ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
  }
  house.upstream.next({ job: { ...never.job, used } })
  const endless = await begin('For ever')
  await house.poll(DAY - 60)
  expect(await isHeld(house, endless.requestId)).toBe(true)
  await house.poll(DAY + 60)
  expect((await house.client.responses.retrieve(endless.id)).status).toBe('cancelled')
  expect(await house.chargeOf(endless.requestId)).toBe(10)

  // Nobody can be asked for a day more: then it is given up.
  house.upstream.next(never)
  const silent = await begin('Silence')
  house.upstream.always(house.upstream.failWith('server-error'))
  await house.poll(DAY + 60)
  expect(await isHeld(house, silent.requestId)).toBe(true)
  await house.poll(2 * DAY + 60)
  expect(await isHeld(house, silent.requestId)).toBe(false)
  expect(await house.chargeOf(silent.requestId)).toBeUndefined()
  house.upstream.always({})

  // Its channel is removed.
  house.other.next(never)
  const orphan = await begin('Orphan', GONE)
  await house.store.change('channels', transaction =>
    transaction.deleteFrom('channels').where('name', '=', 'gone').execute(),
  )
  await until(async () => {
    await house.poll()
    return !(await isHeld(house, orphan.requestId))
  })
  await until(async () => {
    const seen = await house.client.responses.retrieve(orphan.id).catch((error: Error) => error)
    return seen instanceof Error && statusOf(seen) === 404
  })

  expect(before - (await house.balance(userId))).toBe(10)
  expect(await house.differences()).toEqual([])
  await house.close()
})

test('what cannot be written down is not taken for lost, however late it is', async () => {
  const house = await openBackgroundHouse({}, looksWhenTold)
  const { requestId } = await house.begin('Late')
  await house.store.db.updateTable('background_responses').set({ next_poll_at: 0 }).execute()
  const looked = house.later(2 * DAY + 60, parts => pollJobs({ ...parts, ledger: withoutDisk(parts) }))
  expect(await looked).toBe(1)
  expect(await isHeld(house, requestId)).toBe(true)
  await house.poll(2 * DAY + 60)
  expect(await house.chargeOf(requestId)).toBe(house.price('Late'))
  expect(await house.differences()).toEqual([])
  await house.close()
})

test('an account that is silent is not asked for each of its own in turn while others wait', async () => {
  const house = await openBackgroundHouse({}, looksWhenTold)
  house.other.always({ job: { until: new Promise(() => {}) } })
  const [many, atOnce] = [20, 8]
  for (let at = 0; at < many; at++) await house.begin('Unheard', { model: GONE })
  const { requestId } = await house.begin('Heard')
  const base_url = `http://127.0.0.1:${await freePort()}`
  await house.store.change('channels', transaction =>
    transaction.updateTable('channels').set({ base_url }).where('name', '=', 'gone').execute(),
  )
  const isMoved = ({ channels }: RelayParts) =>
    channels.candidates('default', GONE).flat()[0]?.baseUrl === base_url
  await house.later(0, parts => until(() => isMoved(parts)))
  const jobs = house.store.db.updateTable('background_responses')
  await jobs.set({ next_poll_at: 1 }).where('request_id', '=', requestId).execute()
  await jobs.set({ next_poll_at: 0 }).where('request_id', '<>', requestId).execute()
  expect(await house.later(0, pollJobs)).toBeWithin(2, atOnce + 2)
  expect(await house.chargeOf(requestId)).toBe(house.price('Heard'))
  // They are not forgotten for that.
  const due = (await rowsOf(house)).filter(({ state }) => state === 'running')
  expect(due).toHaveLength(many)
  expect(due.every(({ next_poll_at }) => next_poll_at > 1)).toBe(true)
  await house.poll(2 * DAY + 60)
  expect(await house.differences()).toEqual([])
  await house.close()
})

/** The books of a node whose database is away, and whose disk is full, while something is to be paid. */
function withoutDisk({ ledger }: RelayParts): RelayParts['ledger'] {
  const settle = () => Promise.reject(new AppError('store.unavailable'))
  return new Proxy(ledger, {
    get(_, name) {
      const own: unknown = Reflect.get(ledger, name)
      if (name === 'settle') return settle
      return typeof own === 'function' ? own.bind(ledger) : own
    },
  })
}
