import { afterAll, beforeAll, expect, test } from 'bun:test'
import { userStatuses } from '../../../contract/users.ts'
import { until } from '../../program.ts'
import type { Rig } from '../../relay/rig.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { openApi } from '../rig-client.ts'

// What a key shows without a login is for those whose calls it would let in.

let rig: Rig
let userId = 0

beforeAll(async () => {
  const [engine] = engines
  rig = await openApi((await engine?.freshUrl()) ?? '')
  userId = await rig.addUser()
})
afterAll(async () => {
  await rig.close()
  await dropAll()
})

/** Whether the two calls, and one of the relay, tell anything. */
async function told(key: string): Promise<boolean[]> {
  const headers = { authorization: `Bearer ${key}` }
  const usage = await fetch(`${rig.url}/api/usage/token`, { headers })
  const rows = await fetch(`${rig.url}/api/log/token?key=${key}`)
  const models = await fetch(`${rig.url}/v1/models`, { headers })
  const { code } = (await usage.json()) as { code?: boolean }
  const { success } = (await rows.json()) as { success: boolean }
  return [code === true, success, models.ok]
}

test('at the addresses that its token is for', async () => {
  const here = await rig.addToken({ userId, allowIps: '127.0.0.1\n::1' })
  const elsewhere = await rig.addToken({ userId, allowIps: '203.0.113.7' })
  expect(await told(here.key)).toEqual([true, true, true])
  expect(await told(elsewhere.key)).toEqual([false, false, false])
})

test('and not while who made it for a team is banned', async () => {
  const { id, key } = await rig.addToken({ userId })
  const maker = await rig.addUser()
  await rig.store.change('tokens', async transaction => {
    await transaction.updateTable('tokens').set({ created_by: maker }).where('id', '=', id).execute()
  })
  expect(await told(key)).toEqual([true, true, true])
  await rig.store.change('users', async transaction => {
    await transaction
      .updateTable('users')
      .set({ status: userStatuses.banned })
      .where('id', '=', maker)
      .execute()
  })
  expect((await told(key)).slice(0, 2)).toEqual([false, false])
  await until(async () => (await told(key)).every(isTold => !isTold))
})
