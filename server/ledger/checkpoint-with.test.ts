import { afterAll, expect, test } from 'bun:test'
import { until } from '../../test/program.ts'
import { openBooks } from '../../test/services/books.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import { isSomebodyWaiting } from '../../test/services/is-somebody-waiting.ts'
import { lockHold } from './checkpoint-with.ts'

afterAll(dropAll)

test.each(engines.map(engine => [engine.name, engine] as const))(
  'on %s a checkpoint that was under way does not take back what was written down with something else',
  async (_name, engine) => {
    const { store, ledger, userId } = await openBooks(await engine.freshUrl())
    const request = { id: 'r', userId, tokenId: 0 }
    await ledger.hold(request, { most: 200, least: 1, price: '' })
    const [underWay] = await store.transaction(async transaction => {
      const hold = await lockHold(transaction, store, request)
      const told = ledger.checkpoint(request, 5)
      await until(() => isSomebodyWaiting(store))
      await hold?.checkpoint(50)
      return [told]
    })
    expect(await underWay).toBe(true)
    const hold = await store.db.selectFrom('holds').select(['state', 'checkpoint']).executeTakeFirstOrThrow()
    expect(hold).toEqual({ state: 'open', checkpoint: 50 })
    await store.close()
  },
)

test.each(engines.map(engine => [engine.name, engine] as const))(
  'on %s what is written down with something else is the most that was certain, of no more than is set aside',
  async (_name, engine) => {
    const { store, ledger, userId } = await openBooks(await engine.freshUrl())
    const request = { id: 'r', userId, tokenId: 0 }
    const checkpoint = (charge: number): Promise<boolean | undefined> =>
      store.transaction(async transaction => {
        const hold = await lockHold(transaction, store, request)
        await hold?.checkpoint(charge)
        return hold?.isOpen
      })
    expect(await checkpoint(1)).toBeUndefined()
    await ledger.hold(request, { most: 200, least: 1, price: '' })
    const certain = async () =>
      (await store.db.selectFrom('holds').select('checkpoint').executeTakeFirst())?.checkpoint
    for (const [charge, after] of [
      [60, 60],
      [50, 60],
      [700, 200],
    ] as const) {
      expect(await checkpoint(charge)).toBe(true)
      expect(await certain()).toBe(after)
    }
    await ledger.release(request)
    expect(await checkpoint(1)).toBe(false)
    await store.close()
  },
)
