import { afterAll, expect, test } from 'bun:test'
import { openBooks, quotaOf } from '../../test/services/books.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import { hasComeBack, makeLasting } from './lasting-hold.ts'

afterAll(dropAll)

test.each(engines.map(engine => [engine.name, engine] as const))(
  'on %s what is closed already outlives nobody: nothing is begun that nobody would pay for',
  async (_name, engine) => {
    const books = await openBooks(await engine.freshUrl())
    const { store, ledger, userId } = books
    const lasts = (id: string) => store.transaction(own => makeLasting(own, id))
    const request = (id: string) => ({ id, userId, tokenId: 0 })
    for (const id of ['open', 'back', 'paid'])
      await ledger.hold(request(id), { most: 100, least: 1, price: '' })
    // As by a reaper that took its process for dead.
    await ledger.release(request('back'))
    await ledger.settle(request('paid'), 30, undefined)
    expect([await lasts('open'), await lasts('back'), await lasts('paid'), await lasts('none')]).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect([await hasComeBack(store, 'back'), await hasComeBack(store, 'open')]).toEqual([true, false])
    expect(await quotaOf(books)).toBe(870)
    await store.close()
  },
)
