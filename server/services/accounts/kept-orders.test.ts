import { afterAll, expect, test } from 'bun:test'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { KeptOrders } from './kept-orders.ts'

afterAll(dropAll)

test('whoever leafs sees one order, until a user changes', async () => {
  const { db, close } = await openSampleStore((await engines[0]?.freshUrl()) ?? '')
  await db.insertInto('revisions').values({ topic: 'users', version: 1 }).execute()
  const orders = new KeptOrders(db)
  let all = Array.from({ length: 5000 }, (_, at) => at)
  let loads = 0
  const read = async (offset: number, search = 'a'): Promise<readonly number[]> => {
    const { ids, total } = await orders.read([search], { limit: 3, offset }, async wanted => {
      loads++
      const found = all.slice(wanted.offset, wanted.offset + wanted.limit)
      return { ids: found, total: async () => all.length }
    })
    expect(await total()).toBe(all.length)
    return ids
  }
  expect([await read(0), await read(3), loads]).toEqual([[0, 1, 2], [3, 4, 5], 1])
  // Calls move users up, which nobody tells.
  all = all.toReversed()
  expect([await read(1), await read(1, 'b'), loads]).toEqual([[1, 2, 3], [4998, 4997, 4996], 2])
  // What is further than is kept is looked for each time.
  expect([await read(4000), await read(4000), loads]).toEqual([[999, 998, 997], [999, 998, 997], 4])
  await db.updateTable('revisions').set({ version: 2 }).where('topic', '=', 'users').execute()
  expect([await read(1), loads]).toEqual([[4998, 4997, 4996], 5])
  await close()
})
