import { afterAll, beforeAll, expect, test } from 'bun:test'
import { channelStatuses } from '../../../contract/channels.ts'
import { asObject } from '../../../server/dialects/json.ts'
import { until } from '../../program.ts'
import { failAnthropic } from '../../upstreams/anthropic/fail.ts'
import type { FakeUpstream } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { anthropic, ask } from '../ways.ts'

const FORBIDDEN = 'claude-of-others'
let rig: Rig
let fake: FakeUpstream
let key = ''
let channel = 0

beforeAll(async () => {
  fake = await anthropic.start()
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    await books.setOption('DefaultModelRatio', '1')
    await books.setOption('AutomaticDisableChannelEnabled', 'true')
    const models = [anthropic.model, FORBIDDEN]
    channel = await books.addChannel({ type: 14, baseUrl: fake.url, key: fake.key, models })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await fake.stop()
})

async function call(model: string): Promise<number> {
  const response = await ask(rig.url, anthropic, { key, model })
  await response.text()
  return response.status
}

async function status(): Promise<number> {
  const { db } = rig.store
  const row = await db.selectFrom('channels').select('status').where('id', '=', channel).executeTakeFirst()
  return row?.status ?? 0
}

test('a model that the key may not use rests, and the others go on', async () => {
  fake.always(({ json }) => (asObject(json)?.model === FORBIDDEN ? failAnthropic('forbidden') : {}))
  expect(await call(FORBIDDEN)).toBe(403)
  expect(await call(anthropic.model)).toBe(200)
  // As often as it takes to be left alone.
  await until(async () => (await call(FORBIDDEN)) === 429)
  expect(await call(anthropic.model)).toBe(200)
  expect(await status()).toBe(channelStatuses.enabled)
})

test('an organization that is off takes its channel with it', async () => {
  fake.always(failAnthropic('account-off'))
  await call(anthropic.model)
  await until(async () => (await status()) === channelStatuses.disabledByItself)
})
