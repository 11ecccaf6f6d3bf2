import { afterAll, afterEach, expect, test } from 'bun:test'
import { until } from '../../test/program.ts'
import { sampleToken } from '../../test/sample-store.ts'
import { logRow, now, openBooks, quotaOf } from '../../test/services/books.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import { isSomebodyWaiting } from '../../test/services/is-somebody-waiting.ts'
import type { AppError } from '../errors.ts'
import type { Store } from '../store/index.ts'
import { lockedOn } from '../store/lock-rows.ts'
import { audit } from './audit.ts'
import { setBudget } from './budget.ts'

const open: Store[] = []
afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

test.each(engines.map(engine => [engine.name, engine] as const))(
  'a call that begins while a budget is lowered goes by what is left of it (%s)',
  async (_name, engine) => {
    const books = await openBooks(await engine.freshUrl())
    const { ledger, store, userId } = books
    open.push(store)
    await store.db
      .insertInto('tokens')
      .values(sampleToken({ user_id: userId, key_hash: 'k' }))
      .execute()
    const { id: tokenId } = await store.db.selectFrom('tokens').select('id').executeTakeFirstOrThrow()
    await store.transaction(own => setBudget(own, now(), { tokenId, userId, former: 0, to: 500 }))
    const call = (id: string) => ({ id, userId, tokenId })
    let begun: Promise<[number, string]> | undefined
    await store.transaction(async own => {
      const token = await own
        .selectFrom('tokens')
        .select('remain_quota')
        .where('id', '=', tokenId)
        .$call(lockedOn(store.engine))
        .executeTakeFirstOrThrow()
      begun = Promise.all([
        ledger.hold(call('some'), { most: 90, least: 1, price: '' }),
        ledger.hold(call('all'), { most: 90, least: 90, price: '' }).then(
          () => '',
          (error: AppError) => error.code,
        ),
      ])
      await until(() => isSomebodyWaiting(store))
      await setBudget(own, now(), { tokenId, userId, former: token.remain_quota, to: 40 })
    })
    expect(await begun).toEqual([40, 'ledger.token-quota'])
    expect(await ledger.settle(call('some'), 30, logRow(userId, 'some'))).toBe(30)
    expect(await quotaOf(books)).toBe(970)
    const { remain_quota } = await store.db
      .selectFrom('tokens')
      .select('remain_quota')
      .executeTakeFirstOrThrow()
    expect(remain_quota).toBe(10)
    expect((await audit(store.db)).differences).toEqual([])
  },
)
