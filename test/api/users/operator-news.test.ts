import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Client, rootClient } from '../../client.ts'
import { NoticeReceiver, type Received, readNotice } from '../../notice-receiver.ts'
import { until } from '../../program.ts'
import type { Rig } from '../../relay/rig.ts'
import { serveLoopback } from '../../serve-loopback.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { freePort } from '../../services/free-port.ts'
import { openApi } from '../rig-client.ts'

let rig: Rig
let root: Client
let upstream: Bun.Server<unknown>
let isKeyGood = false
let key = ''
const receiver = new NoticeReceiver()

beforeAll(async () => {
  rig = await openApi((await engines[0]?.freshUrl()) ?? '', { CriticalRateLimit: '0' })
  root = await rootClient(rig.url)
  upstream = serveLoopback(() =>
    isKeyGood
      ? Response.json({
          ...{ id: 'a', object: 'chat.completion', created: 1, model: 'gpt-4o-mini' },
          choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        })
      : Response.json(
          { error: { message: 'Incorrect key up-key-1 <!channel>', code: 'invalid_api_key' } },
          { status: 401 },
        ),
  )
  const userId = await rig.addUser()
  key = (await rig.addToken({ userId })).key
  await root.saveOption('AutomaticDisableChannelEnabled', 'true')
  await root.saveOption('AutomaticEnableChannelEnabled', 'true')
})
afterAll(async () => {
  await rig.close()
  await upstream.stop(true)
  await receiver.close()
  await dropAll()
})
beforeEach(async () => {
  receiver.reset()
  await point(`${receiver.url}/ops/t0p-secret`)
  await root.saveOption('OpsWebhookFormat', 'auto')
  await rig.store.change('channels', async transaction => {
    await transaction.deleteFrom('channels').execute()
    await transaction.deleteFrom('abilities').execute()
  })
})

const point = (url: string) => root.saveOption('OpsWebhookUrl', url)
const tryOut = () => root.send('POST', '/api/option/test_webhook', { headers: { 'accept-language': 'en' } })

/** By a call, so that it serves at once. */
async function addChannel(name: string): Promise<number> {
  const { json, text } = await root.post('/api/channel/', {
    ...{ type: 1, name, base_url: `http://127.0.0.1:${upstream.port}`, key: 'up-key-1' },
    ...{ models: 'gpt-4o-mini', group: 'default' },
  })
  if (!json?.success) throw new Error(text)
  const { id } = await rig.store.db
    .selectFrom('channels')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return id
}

const ask = () =>
  fetch(`${rig.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }),
  })

/** How many channels have gone off so far. */
const gone = () => rig.program.output().split('"a channel was disabled"').length - 1

async function testAll(): Promise<void> {
  expect((await root.get('/api/channel/test')).json.success).toBe(true)
  await until(async () =>
    (await root.get('/api/channel/work')).json.data.find(
      (work: { name: string; running: boolean }) => work.name === 'channel-test' && !work.running,
    ),
  )
}

test('a channel that goes off by itself, fails a test of all, and comes back is told of once each', async () => {
  isKeyGood = false
  const id = await addChannel('First')
  await Promise.all([ask(), ask(), ask()])
  const off = readNotice(await receiver.next())
  expect(off).toMatchObject({ type: 'channel_update', title: `通道「First」（#${id}）已被禁用` })
  expect(off.values.slice(0, 3)).toEqual([id, 'First', 'disabled'])
  expect(off.content).toContain('原因：上游返回 401：')
  expect(off.content).toContain('was disabled. Reason: The upstream answered 401: ')
  expect(off.content).toContain('invalid_api_key')
  expect(off.content).not.toContain('up-key-1')

  // Still off, it is no news.
  await testAll()
  isKeyGood = true
  await testAll()
  const on = readNotice(await receiver.next())
  expect([on.type, on.values]).toEqual(['channel_update', [id, 'First', 'enabled']])

  await root.saveOption('AutomaticDisableChannelEnabled', 'false')
  isKeyGood = false
  await addChannel('Second')
  await testAll()
  await root.saveOption('AutomaticDisableChannelEnabled', 'true')
  const tested = readNotice(await receiver.next())
  expect([tested.type, tested.values]).toEqual(['channel_test', [2, 2, id, expect.any(Number)]])
  expect(tested.content).toContain(`First (#${id}), Second`)
  expect(receiver.received).toEqual([])
})

test('a webhook that never answers holds up no call, and what comes meanwhile goes out as one message', async () => {
  isKeyGood = false
  const before = gone()
  await root.saveOption('OpsWebhookFormat', 'slack')
  const end = Promise.withResolvers<Response>()
  receiver.answer = () => end.promise
  await addChannel('Third')
  expect((await ask()).status).toBe(502)
  const first = await receiver.next()
  expect(first.json.text).toStartWith('Tollgate: 通道「Third」')
  // Nobody in a chat is called by what an upstream says.
  expect(first.json.text).toContain('&lt;!channel&gt;')
  for (const name of ['Fourth', 'Fifth']) {
    await addChannel(name)
    expect((await ask()).status).toBe(502)
  }
  await until(() => gone() >= before + 3)
  receiver.answer = () => new Response('ok')
  end.resolve(new Response('ok'))
  const joined = await receiver.next()
  expect(joined.json.text).toContain('Fourth')
  expect(joined.json.text).toContain('Fifth')
  expect(receiver.received).toEqual([])
})

describe('a test message', () => {
  const text = 'Tollgate: You have this message, so the settings work.'

  test.each<[string, (got: Received) => unknown, unknown]>([
    ['auto', got => readNotice(got).type, 'test'],
    ['json', got => readNotice(got).title, 'Tollgate: test message'],
    ['slack', got => got.json, { text }],
    ['feishu', got => got.json, { msg_type: 'text', content: { text } }],
    ['dingtalk', got => got.json, { msgtype: 'text', text: { content: text } }],
  ])('goes out as %s', async (format, read, expected) => {
    expect((await root.saveOption('OpsWebhookFormat', format)).json.success).toBe(true)
    expect((await tryOut()).json).toEqual({ success: true, message: '', data: null })
    const got = await receiver.next()
    expect([got.method, got.path]).toEqual(['POST', '/ops/t0p-secret'])
    expect(read(got)).toEqual(expected)
  })

  test('tells why it was not taken', async () => {
    const why = async () => (await tryOut()).json.message
    receiver.answer = () => new Response('secret words', { status: 403 })
    expect(await why()).toBe('The message was not taken: HTTP 403')
    receiver.answer = () => Response.redirect(`${receiver.url}/elsewhere`, 307)
    expect(await why()).toBe('The message was not taken: HTTP 307')
    expect(receiver.received.map(({ path }) => path)).toEqual(['/ops/t0p-secret', '/ops/t0p-secret'])
    await root.saveOption('OpsWebhookFormat', 'feishu')
    receiver.answer = () => Response.json({ code: 19024, msg: 'Key Words Not Found', data: {} })
    expect(await why()).toBe('The message was not taken: 19024 Key Words Not Found')
    receiver.answer = () => new Response('x'.repeat(1_000_000))
    expect((await tryOut()).json.success).toBe(true)
    await point(`http://127.0.0.1:${await freePort()}/`)
    expect(await why()).toBe('The connection could not be made')
    for (const url of ['http://169.254.169.254/latest/', 'https://metadata.google.internal/']) {
      await point(url)
      expect(await why()).toBe('That address is not allowed')
    }
    await point(`${receiver.url}/ops/t0p-secret`)
    await root.saveOption('AllowPrivateUpstreams', 'false')
    expect(await why()).toBe('That address is not allowed')
    await root.saveOption('AllowPrivateUpstreams', 'true')
    await point('')
    expect(await why()).toBe('There is no webhook address')
  })

  test.each(['ftp://a.example/', 'a.example', 'javascript:alert(1)'])(
    'an address such as %s is refused',
    async url => {
      expect((await point(url)).json.success).toBe(false)
    },
  )
})

test('the address is a secret: no answer has it, and neither the database nor the log', async () => {
  const listed = await root.get('/api/option/')
  expect(listed.json.secrets_set).toContain('OpsWebhookUrl')
  for (const { text } of [listed, await root.get('/api/audit?p=1&size=100'), await root.get('/api/status')])
    expect(text).not.toContain('t0p-secret')
  const rows = await rig.store.db.selectFrom('options').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('t0p-secret')
  expect(rig.program.output()).not.toContain('t0p-secret')
})
