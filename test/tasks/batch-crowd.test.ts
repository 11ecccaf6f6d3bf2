import { afterAll, expect, test } from 'bun:test'
import { dropAll, engines } from '../services/databases.ts'
import { failureOf, lines, openBatchHouse } from './batch-house.ts'

afterAll(dropAll)

const MOST = 1000
const AT_ONCE = 8
const LEFT = 3

test.each(engines)('on $name: a crowd at once has no more files than one after the other', async engine => {
  const house = await openBatchHouse({ DATABASE_URL: await engine.freshUrl() })
  const { db } = house.store
  const { id: first } = await house.upload(lines(1))
  const row = await db.selectFrom('files').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
  const rows = Array.from({ length: MOST - LEFT - 1 }, (_, at) => ({ ...row, id: `file-${at}` }))
  for (let at = 0; at < rows.length; at += 50)
    await db
      .insertInto('files')
      .values(rows.slice(at, at + 50))
      .execute()

  // All of them are let in before any is answered.
  const { promise: all, resolve } = Promise.withResolvers<void>()
  let come = 0
  house.upstream.gate = () => {
    if (++come === AT_ONCE) resolve()
    return all
  }
  const outcomes = await Promise.all(
    Array.from({ length: AT_ONCE }, () => house.upload(lines(1)).catch(error => error as { code?: string })),
  )
  house.upstream.gate = undefined
  const kept = outcomes.filter(outcome => 'id' in outcome)
  expect(kept).toHaveLength(LEFT)
  const { count } = await db
    .selectFrom('files')
    .select(files => files.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(MOST)
  // What is not the user's is not left with the upstream either.
  expect(house.upstream.files.size).toBe(1 + LEFT)
  const refused = await failureOf(house.upload(lines(1)))
  expect([refused.status, refused.message]).toEqual([400, expect.stringContaining(String(MOST))])
  expect(house.upstream.complaints).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
})
