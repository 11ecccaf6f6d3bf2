import { expect } from 'bun:test'
import type { BatchRow } from '../../server/tasks/batches/batch-rows.ts'
import { killAll, startProgram, until } from '../program.ts'
import { SECRET_KEY } from '../relay/rig.ts'
import type { TaskHouse } from './house.ts'

/** How quickly a process is found dead. */
export const times = { beatMs: 500, reapMs: 300, deadAfterMs: 4500, refillMs: 500 }

/** Batches of one vendor, as they are begun, ended and looked at. */
interface Killed {
  readonly house: TaskHouse
  readonly DATABASE_URL: string
  /** What the vendor calls those that it has. */
  theirs(): readonly string[]
  /** What it is called here, for whoever hears that it has begun. */
  begin(): Promise<string | undefined>
  endAll(): void
  /** By a client of a program at this address, who makes it look. */
  look(url: string, id: string): Promise<unknown>
  /** What each costs. */
  readonly paid: number
  /** Whether the vendor can tell of one that is not over that it is ours. */
  readonly isKnownBefore: boolean
}

/** Whatever the upstream has is paid to the unit, whatever was being begun or ended when the process died. */
export async function killTwice(killed: Killed): Promise<void> {
  const { house, DATABASE_URL, theirs, begin, endAll, look, paid, isKnownBefore } = killed
  const { userId } = house.payer
  const heard: string[] = []
  const listen = async (): Promise<void> => {
    const id = await begin()
    if (id !== undefined) heard.push(id)
  }
  const nodes = async () =>
    (await house.store.db.selectFrom('nodes').select('id').execute()).map(({ id }) => id)
  // The test's own among them, which gets another name where the machine is slow.
  const known = await nodes()
  await listen()
  const calls = Promise.allSettled(Array.from({ length: 30 }, listen))
  await until(() => heard.length >= 8)
  killAll(house.program)
  await calls

  const rows = (): Promise<BatchRow[]> => house.store.db.selectFrom('batches').selectAll().execute()
  const running = async () => (await rows()).filter(({ state }) => state === 'running')
  await until(async () => {
    await house.poll(400)
    return !isKnownBefore || (await rows()).every(({ state }) => state !== 'submitting')
  })
  if (isKnownBefore) expect(await running()).toHaveLength(theirs().length)
  // While one of the account's may be it, nothing is given up.
  else expect((await running()).length).toBeGreaterThanOrEqual(heard.length)
  // Whoever finishes what the dead have left open has been here, and left the batches alone.
  await until(async () => {
    const living = await nodes()
    return known.some(id => !living.includes(id))
  })
  endAll()
  const second = await startProgram({ SECRET_KEY, DATABASE_URL, DATA_DIR: house.program.dataDir })
  // Clients make the new process look, which dies while it does.
  const asking = Promise.allSettled(heard.map(id => look(second.url, id)))
  await until(async () =>
    (await rows()).some(({ state, upstream_id }) => state === 'ended' && upstream_id !== ''),
  )
  killAll(second)
  await asking
  await until(async () => {
    await house.poll(400, 3)
    return (await rows()).every(({ state }) => state !== 'submitting' && state !== 'running')
  })
  const ended = (await rows()).filter(({ state, upstream_id }) => state === 'ended' && upstream_id !== '')
  expect(ended.map(row => row.upstream_id).sort()).toEqual([...theirs()].sort())
  expect(heard.filter(id => !ended.some(row => row.id === id))).toEqual([])
  expect(await house.differences()).toEqual([])
  const sum = ended.length * paid
  expect(await house.balance(userId)).toBe(50_000_000 - sum)
  const user = house.store.db
    .selectFrom('users')
    .select(['used_quota', 'request_count'])
    .where('id', '=', userId)
  expect(await user.executeTakeFirstOrThrow()).toEqual({ used_quota: sum, request_count: ended.length })
}
