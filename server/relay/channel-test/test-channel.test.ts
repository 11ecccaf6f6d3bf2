import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '../../../test/program.ts'
import { openRig, type Rig } from '../../../test/relay/rig.ts'
import { type FakeUpstream, startOpenai } from '../../../test/upstreams/index.ts'
import { Ledger } from '../../ledger/ledger.ts'
import { createOutbound } from '../../outbound/client.ts'
import { openRelay } from '../open-relay.ts'
import type { RelayParts } from '../parts.ts'
import { openChannelTester, testChannel } from './test-channel.ts'

let rig: Rig
let openai: FakeUpstream
let parts: RelayParts

beforeAll(async () => {
  openai = await startOpenai()
  rig = await openRig()
  const { store } = rig
  const now = (): number => Math.floor(Date.now() / 1000)
  // A test that touched money would need what this has not.
  const ledger = Object.create(Ledger.prototype) as Ledger
  const relay = await openRelay({ store, ledger, outbound: createOutbound(), now, nodeName: () => 'node' })
  parts = relay.parts
}, 180_000)
afterAll(async () => {
  await rig.close()
  await openai.stop()
})

const add = (status: number): Promise<number> =>
  rig.addChannel({ type: 1, baseUrl: openai.url, key: openai.key, models: ['unpriced-model'], status })

test('a disabled channel with a model that has no price is asked all the same, and no money moves', async () => {
  const outcome = await testChannel(parts, await add(3))
  expect(outcome).toMatchObject({ ok: true, message: '', model: 'unpriced-model', asked: true })
  expect(outcome.promptTokens).toBeGreaterThan(0)
  expect(await rig.store.db.selectFrom('holds').select('id').execute()).toEqual([])
  expect(parts.live.size).toBe(0)
})

test('one that is broken off lets go of its upstream', async () => {
  openai.next({ silent: true })
  const abort = new AbortController()
  const asked = openai.requests.length
  const testing = testChannel(parts, await add(1), { signal: abort.signal, language: 'en' })
  await until(() => openai.requests.length > asked)
  abort.abort()
  expect(await testing).toMatchObject({ ok: false, message: 'The request took too long' })
  await openai.served.at(-1)?.done
  expect([openai.served.at(-1)?.aborted, parts.live.size]).toEqual([true, 0])
})

test('a model that answers in streams only is asked for one', async () => {
  const message =
    'This model only support stream mode, please enable the stream parameter to access the model.'
  openai.next({ status: 400, body: { error: { message, type: 'invalid_request_error' } } })
  const asked = openai.requests.length
  expect(await testChannel(parts, await add(1))).toMatchObject({ ok: true, message: '' })
  expect(openai.requests.slice(asked).map(({ json }) => json)).toMatchObject([
    { stream: false },
    { stream: true },
  ])
})

test('a key that the upstream calls dead is told apart from other failures', async () => {
  const id = await add(1)
  openai.next(openai.failWith('bad-key'))
  expect(await testChannel(parts, id)).toMatchObject({ ok: false, keyUnusable: true })
  openai.next(openai.failWith('rate-limit'))
  const { mark, ...outcome } = await testChannel(parts, id)
  expect(outcome).toMatchObject({ ok: false, keyUnusable: false })
  const tester = openChannelTester(parts)
  expect(await tester.disable(id, `no use: ${openai.key}`, mark)).toBe(true)
  expect(await tester.disable(id, 'again', mark)).toBe(false)
  const row = await rig.store.db
    .selectFrom('channels')
    .select(['status', 'other_info'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect([row.status, JSON.parse(row.other_info).status_reason]).toEqual([3, 'no use: ***'])
})
