import { afterAll, beforeAll, expect, test } from 'bun:test'
import { insert, type LogHouse, openLogHouse } from './log-house.ts'

const HOUR = 1_700_002_800

const quotas: readonly [string, number][] = [
  ['gpt-4o', 1],
  ['gpt-4o-mini', 10],
  ['my-gpt-4o', 100],
  ['odd%name', 1000],
]

let house: LogHouse
beforeAll(async () => {
  house = await openLogHouse()
  const { addLog, alice, database } = house
  for (const [at, [model_name, quota]] of quotas.entries()) {
    // As the ledger would have written it.
    const sums = { requests: 1, errors: 0, quota, prompt_tokens: 0, completion_tokens: 0 }
    const of = { user_id: alice.userId, token_id: 0, channel_id: 0, model_name, group: 'default' }
    insert(database, 'usage_hourly', { hour: HOUR, ...of, ...sums })
    addLog({
      created_at: HOUR + at,
      user_id: alice.userId,
      username: 'alice',
      type: 2,
      model_name,
      quota,
      request_id: `r${at}`,
    })
  }
})
afterAll(() => house.stop())

/** As scripts of this family say what a name begins or ends with. More of that is only text. */
test.each<[string, string[]]>([
  ['gpt%', ['gpt-4o', 'gpt-4o-mini']],
  ['%4o', ['gpt-4o', 'my-gpt-4o']],
  ['%GPT-4o%', ['gpt-4o', 'gpt-4o-mini', 'my-gpt-4o']],
  ['mini%', []],
  ['odd%name', ['odd%name']],
  ['gpt%4o', []],
  ['%', ['odd%name']],
])('%j is %j', async (text, models) => {
  const query = `model_name=${encodeURIComponent(text)}`
  for (const client of [house.admin, house.alice]) {
    const own = client === house.alice ? '/self' : ''
    const { data } = (await client.get(`/api/log${own}/?${query}&page_size=100`)).json
    const named = data.items.map((row: { model_name: string }) => row.model_name)
    expect([data.total, named.toSorted()]).toEqual([models.length, models])
    const { quota } = (await client.get(`/api/log${own}/stat?${query}`)).json.data
    expect(quota).toBe(
      quotas.filter(([model]) => models.includes(model)).reduce((sum, [, of]) => sum + of, 0),
    )
  }
})
