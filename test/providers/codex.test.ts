import { describe, expect, test } from 'bun:test'
import { channelKeyPlace } from '../../server/store/sealed-places.ts'
import { rootClient } from '../client.ts'
import { morePatience } from '../more-patience.ts'
import { until } from '../program.ts'
import { openRig } from '../relay/rig.ts'
import { serveLoopback } from '../serve-loopback.ts'
import { accessToken, type FakeCodex, keyOf, startCodex } from '../upstreams/codex/start.ts'
import { testChat } from './chat-cases.ts'

const MODEL = 'gpt-5.5'

describe('chat', () =>
  testChat({
    name: 'Codex',
    type: 57,
    start: startCodex,
    models: [MODEL],
    speaks: ['openai-responses'],
    can: ['tools', 'forced-tools', 'images', 'schema', 'cache'],
    failures: [
      { kind: 'too-long', leads: 'told' },
      { kind: 'no-model', leads: 'retried' },
      { kind: 'rate-limit', leads: 'retried' },
      { kind: 'quota', leads: 'retried' },
      { kind: 'server-error', leads: 'retried' },
      { kind: 'overloaded', leads: 'retried' },
      { kind: 'bad-key', leads: 'disabled' },
    ],
    more(house) {
      test('what it does not take stays here, and what it must have is there', async () => {
        const messages = [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ]
        const asked = {
          model: MODEL,
          messages,
          max_tokens: 50,
          temperature: 1,
          user: 'ada',
          metadata: { a: 'b' },
        }
        expect((await house().post('/v1/chat/completions', asked)).status).toBe(200)
        const plain = await house().post('/v1/responses', {
          model: MODEL,
          input: 'Hi',
          max_output_tokens: 50,
        })
        expect([plain.status, (await plain.json()).output_text ?? '']).toEqual([200, ''])
        expect(house().body()).toMatchObject({
          ...{ store: false, stream: true, instructions: expect.any(String) },
          include: ['reasoning.encrypted_content'],
          input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
        })
      })

      test('its own client searches the web beside the conversation', async () => {
        const asked = { id: 'x', model: MODEL, commands: { search_query: [{ q: 'foxes' }] } }
        const found = await house().post('/v1/alpha/search', asked)
        expect(await found.json()).toMatchObject({ output: 'You searched: foxes' })
        expect(house().seen()).toMatchObject({ path: '/backend-api/codex/alpha/search', json: asked })
        expect(house().seen().headers.accept).not.toContain('event-stream')
      })

      test('a stop string cuts what it says', async () => {
        const conversation = { turns: [{ user: 'one STOP two' }], stop: 'STOP' }
        for (const stream of [false, true])
          expect((await house().clients.gemini.ask(MODEL, conversation, stream)).text).toBe('You said: one ')
      })

      test('the operator can test it, and tokens are shown to nobody', async () => {
        const root = await rootClient(house().rig.url)
        expect((await root.get(`/api/channel/test/${house().channelId}`)).json.message).toBe('')
        const { access_token } = JSON.parse(house().fake.key)
        house().fake.next(house().fake.failWith('bad-request', `what is ${access_token}?`))
        const refused = await house().post('/v1/responses', { model: MODEL, input: 'Hi' })
        expect([refused.status, (await refused.text()).includes(access_token)]).toEqual([400, false])
      })
    },
  }))

test('tokens that end soon are exchanged once, by one of all processes, and kept before they are used', async () => {
  const began = performance.now()
  const now = Math.floor(Date.now() / 1000)
  const dying = keyOf(accessToken('old', now + 60), 'rt_old_0123456789abcdef')
  const fake: FakeCodex = await startCodex({ key: dying })
  // Used by somebody else already, and one that lives on: neither is touched twice.
  fake.exchanged.push('rt_spent_0123456789abcdef')
  const seed = { type: 57, baseUrl: fake.url, models: [MODEL] }
  let ids: number[] = []
  let key = ''
  const rig = await openRig(
    async seeds => {
      key = (await seeds.addToken({ userId: await seeds.addUser({ quota: 500_000_000 }) })).key
      ids = [
        // It was refused when its token had ended.
        await seeds.addChannel({ ...seed, key: dying, status: 3 }),
        await seeds.addChannel({
          ...{ ...seed, models: ['spent'] },
          key: keyOf(accessToken('spent', now + 60), 'rt_spent_0123456789abcdef'),
        }),
        await seeds.addChannel({
          ...{ ...seed, models: ['young'] },
          key: keyOf(accessToken('young', now + 3 * 86_400), 'rt_young_0123456789abcdef'),
        }),
      ]
    },
    { WORKERS: '2' },
  )
  try {
    const keyIn = async (at: number) => {
      const id = ids[at] ?? 0
      const row = await rig.store.db
        .selectFrom('channels')
        .select(['key_sealed', 'key_hash'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const text = rig.store.cipher.open(channelKeyPlace(id), row.key_sealed)
      const isFound = row.key_hash === rig.store.cipher.hash('channel', text)
      return { ...JSON.parse(text), isFound }
    }
    const renewed = await until(async () => {
      const found = await keyIn(0)
      return found.refresh_token === 'rt_old_0123456789abcdef_next' ? found : undefined
    })
    expect(renewed).toMatchObject({
      ...{ account_id: JSON.parse(dying).account_id, email: 'a@b.example', isFound: true },
    })
    // In force, and the channel with it.
    const ask = () =>
      fetch(`${rig.url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: MODEL, input: 'Hi' }),
      })
    await until(async () => {
      const { status } = await ask()
      return status === 200 && fake.shown.has(renewed.access_token) ? true : undefined
    })
    // Its turn has come, and the vendor has said no: once.
    await until(async () => (fake.complaints.length > 0 ? true : undefined))
    expect((await keyIn(1)).refresh_token).toBe('rt_spent_0123456789abcdef')
    expect((await keyIn(2)).refresh_token).toBe('rt_young_0123456789abcdef')
    expect(fake.exchanged).toEqual(['rt_spent_0123456789abcdef', 'rt_old_0123456789abcdef'])
    // It is asked again a minute later, which a slow machine may have come to.
    expect(new Set(fake.complaints)).toEqual(
      new Set(['POST /oauth/token: the refresh token was used before']),
    )
    expect(fake.complaints.length).toBeLessThanOrEqual(1 + (performance.now() - began) / 60_000)
  } finally {
    await rig.close()
    await fake.stop()
  }
})

test('a program that ends waits for the tokens that are being exchanged: their vendor gives them once', async () => {
  const now = Math.floor(Date.now() / 1000)
  const dying = keyOf(accessToken('old', now + 60), 'rt_old_0123456789abcdef')
  const fake = await startCodex({ key: dying })
  const answered = Promise.withResolvers<void>()
  const slow = serveLoopback(async request => {
    const { method } = request
    const headers = new Headers(request.headers)
    headers.delete('host')
    const body = await request.text()
    const answer = await fetch(fake.url + new URL(request.url).pathname, { method, headers, body })
    await answered.promise
    return answer
  })
  let id = 0
  const url = `http://127.0.0.1:${slow.port}`
  const rig = await openRig(
    async seeds => {
      id = await seeds.addChannel({ type: 57, baseUrl: url, models: [MODEL], key: dying })
    },
    morePatience({ 10000: 60_000 }),
  )
  try {
    await until(() => fake.exchanged.length > 0)
    const ended = rig.program.stop()
    // Who does not wait is gone by then.
    await Promise.race([ended, Bun.sleep(3000)])
    answered.resolve()
    expect(await ended).toBe(0)
    const { key_sealed } = await rig.store.db
      .selectFrom('channels')
      .select('key_sealed')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const key = JSON.parse(rig.store.cipher.open(channelKeyPlace(id), key_sealed))
    expect(key.refresh_token).toBe('rt_old_0123456789abcdef_next')
  } finally {
    await rig.close()
    await slow.stop(true)
    await fake.stop()
  }
})
