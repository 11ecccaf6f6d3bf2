import { afterAll, describe, expect, test } from 'bun:test'
import { openSampleStore } from '../../test/sample-store.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import { contains, listHolds } from './like.ts'

afterAll(dropAll)

const values = ['a%b', 'a_b', 'a!b', 'a\\b', "a'b", 'axb', '中文 AB', 'vip,svip', 'svip']

describe.each(engines.map(engine => [engine.name, engine] as const))('searching on %s', (_name, engine) => {
  test('takes what people type literally, whatever its case', async () => {
    const store = await openSampleStore(await engine.freshUrl())
    await store.db.deleteFrom('system').execute()
    await store.db
      .insertInto('system')
      .values(values.map((value, at) => ({ key: `k${at}`, value })))
      .execute()
    const found = async (text: string): Promise<string[]> => {
      const rows = await store.db
        .selectFrom('system')
        .select('value')
        .where(contains('value', text))
        .orderBy('key')
        .execute()
      return rows.map(({ value }) => value)
    }
    for (const one of ['a%b', 'a_b', 'a!b', 'a\\b', "a'b"])
      expect([one, await found(one)]).toEqual([one, [one]])
    expect(await found('%'.repeat(1000))).toEqual([])
    expect(await found('文 ab')).toEqual(['中文 AB'])
    const member = await store.db
      .selectFrom('system')
      .select('value')
      .where(listHolds(store.engine, 'value', 'vip'))
      .execute()
    expect(member.map(({ value }) => value)).toEqual(['vip,svip'])
    await store.close()
  })
})
