import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Client, rootClient } from '../../client.ts'
import { until } from '../../program.ts'
import { serveLoopback } from '../../serve-loopback.ts'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { ask, chat, readStream, requestIdOf } from '../ways.ts'

const SECRET = 'hook-secret-8811'

interface Asked {
  readonly path: string
  readonly authorization: string | null
  readonly json: { readonly texts: string[] } & Readonly<Record<string, unknown>>
}

/** The operator's own service that judges texts. */
const asked: Asked[] = []
let answer: (asked: Asked) => Response | Promise<Response>
const service = serveLoopback(async request => {
  const { pathname } = new URL(request.url)
  const authorization = request.headers.get('authorization')
  const one: Asked = { path: pathname, authorization, json: JSON.parse(await request.text()) }
  asked.push(one)
  return answer(one)
})

const say = (verdict: object) => () => Response.json(verdict)
const hook = (otherwise: 'allow' | 'block', url = `${service.url}judge`) => ({
  by: 'webhook',
  url,
  seconds: 30,
  otherwise,
})
/** For one that never comes to its end. */
const hasty = (otherwise: 'allow' | 'block') => ({ ...hook(otherwise), seconds: 1 })
const rule = { enabled: true, groups: [], action: 'block' }
const RULES = [
  {
    ...rule,
    name: 'people',
    where: ['input'],
    models: [],
    looks: { by: 'kinds', kinds: ['email'] },
    action: 'mask',
  },
  { ...rule, name: 'open', where: ['input'], models: ['m-open'], looks: hook('allow') },
  { ...rule, name: 'closed', where: ['input'], models: ['m-closed'], looks: hook('block') },
  { ...rule, name: 'open soon', where: ['input'], models: ['m-open-soon'], looks: hasty('allow') },
  { ...rule, name: 'closed soon', where: ['input'], models: ['m-closed-soon'], looks: hasty('block') },
  {
    ...rule,
    name: 'gone',
    where: ['input'],
    models: ['m-gone'],
    looks: hook('block', 'http://127.0.0.1:9/'),
  },
  { ...rule, name: 'after', where: ['output'], models: ['m-after'], looks: hook('block') },
  { ...rule, name: 'lax', where: ['output'], models: ['m-lax'], looks: hook('allow') },
]
const OWN = { ...rule, name: 'own', where: ['input'], models: ['m-own'], looks: hook('block') }
const MODELS = [
  'm-open',
  'm-closed',
  'm-open-soon',
  'm-closed-soon',
  'm-gone',
  'm-after',
  'm-lax',
  'm-own',
  'm-free',
]

let rig: Rig
let openai: FakeUpstream
let broken: FakeUpstream
let root: Client
let key = ''
let userId = 0
let poorId = 0
let poor = ''
let slow = ''

beforeAll(async () => {
  openai = await startOpenai()
  broken = await startOpenai()
  rig = await openRig(async books => {
    userId = await books.addUser()
    key = (await books.addToken({ userId })).key
    poorId = await books.addUser({ quota: 0 })
    poor = (await books.addToken({ userId: poorId })).key
    slow = (await books.addToken({ userId: await books.addUser({ limits: { rpm: 1 } }) })).key
    await books.setOption('Guards', JSON.stringify(RULES))
    await books.setOption('ModelRatio', '{"m-free":0}')
    await books.setOption('DefaultModelRatio', '1')
    await books.setOption('RetryTimes', '3')
    const own = { type: 1, models: MODELS }
    await books.addChannel({ ...own, baseUrl: openai.url, key: openai.key, priority: 1 })
    await books.addChannel({ ...own, baseUrl: broken.url, key: broken.key, priority: 9 })
  })
  broken.always(broken.failWith('timeout'))
  root = await rootClient(rig.url)
  expect((await root.put('/api/option', { key: 'GuardsSecret', value: SECRET })).json.success).toBe(true)
})
afterAll(async () => {
  expect(openai.complaints).toEqual([])
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await openai.stop()
  await broken.stop()
  await service.stop(true)
})
beforeEach(() => {
  asked.length = 0
  answer = say({ action: 'allow' })
})

const call = (model: string, text = 'hello a@b.example', stream = false) =>
  ask(rig.url, chat, { key, model, text, stream })
const messageOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error: { message: string } }).error.message

describe('a webhook is asked', () => {
  test('once, whatever channels fail, about what the other rules have left, and with the secret', async () => {
    const response = await call('m-closed')
    expect(response.status).toBe(200)
    expect(broken.requests.length).toBeGreaterThan(0)
    expect(asked).toEqual([
      {
        path: '/judge',
        authorization: `Bearer ${SECRET}`,
        json: {
          side: 'input',
          rule: 'closed',
          texts: ['hello [email]'],
          model: 'm-closed',
          group: 'default',
          user_id: userId,
          token_name: expect.any(String),
          request_id: requestIdOf(response),
        },
      },
    ])
  })

  test('and its secret is stored sealed, and shown to nobody', async () => {
    const row = await rig.store.db
      .selectFrom('options')
      .select('value')
      .where('key', '=', 'GuardsSecret')
      .executeTakeFirstOrThrow()
    expect(row.value).not.toContain(SECRET)
    const options = await root.get('/api/option')
    expect(options.json.secrets_set).toContain('GuardsSecret')
    expect(options.text).not.toContain(SECRET)
    expect((await root.get('/api/audit?page_size=100')).text).not.toContain(SECRET)
  })

  test('and blocks, with its reason, at no cost', async () => {
    answer = say({ action: 'block', reason: 'not on Sundays' })
    const before = openai.requests.length
    const response = await call('m-open')
    expect(response.status).toBe(400)
    expect(await messageOf(response)).toMatch(/“open”.+not on Sundays/)
    expect(openai.requests.length).toBe(before)
    const row = await rig.logOf(requestIdOf(response))
    expect(row.details.admin_info).toEqual({ use_channel: [], guards: { people: 1, open: 1 } })
    expect(await rig.chargeOf(requestIdOf(response))).toBeUndefined()
  })

  test('and masks', async () => {
    answer = ({ json }) =>
      Response.json({ action: 'mask', texts: json.texts.map(text => text.toUpperCase()) })
    expect((await call('m-open')).status).toBe(200)
    expect(openai.requests.at(-1)?.text).toContain('HELLO [EMAIL]')
  })
})

describe('a webhook masks what is no chat', () => {
  const post = async (path: string, body: object): Promise<Response> => {
    answer = ({ json }) =>
      Response.json({ action: 'mask', texts: json.texts.map(text => text.toUpperCase()) })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return fetch(rig.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  test.each([
    ['/v1/embeddings', { input: ['hello', 'you'] }],
    ['/v1/completions', { prompt: 'hello you' }],
    ['/v1/images/generations', { prompt: 'hello you', n: 1 }],
    ['/v1/audio/speech', { input: 'hello you', voice: 'alloy' }],
  ])('%s', async (path, body) => {
    const response = await post(path, { model: 'm-open', ...body })
    expect(response.status).toBe(200)
    await response.arrayBuffer()
    expect(asked.length).toBe(1)
    expect(openai.requests.at(-1)?.text).toMatch(/HELLO.*YOU/)
    expect(await rig.logOf(requestIdOf(response))).toMatchObject({
      details: { admin_info: { guards: { open: 'input' in body && Array.isArray(body.input) ? 2 : 1 } } },
    })
  })

  test('and token counts', async () => {
    const body = { model: 'm-open', messages: [{ role: 'user', content: 'hello' }] }
    expect((await post('/v1/messages/count_tokens', body)).status).toBe(200)
    answer = say({ action: 'block' })
    expect(asked.map(({ json }) => json.texts)).toEqual([['hello']])
  })
})

const endless = () => {
  const chunk = new TextEncoder().encode(' '.repeat(64 * 1024))
  return new Response(new ReadableStream({ pull: controller => controller.enqueue(chunk) }))
}
const failures: [string, () => Response | Promise<Response>][] = [
  ['is slow', () => new Promise(() => {})],
  ['fails', () => new Response('oops', { status: 500 })],
  ['says nothing that can be read', () => new Response('yes')],
  ['says something unknown', say({ action: 'perhaps' })],
  ['masks more texts than there are', say({ action: 'mask', texts: ['a', 'b'] })],
  ['masks with what is no text', say({ action: 'mask', texts: [5] })],
  ['never ends', endless],
  ['leads elsewhere', () => Response.redirect(`${service.url}elsewhere`, 307)],
]

describe.each(failures)('a webhook that %s', (_how, how) => {
  test('lets through or refuses, as its rule says', async () => {
    answer = how
    expect((await call('m-open-soon')).status).toBe(200)
    const before = openai.requests.length
    const refused = await call('m-closed-soon')
    expect(refused.status).toBe(503)
    expect(await messageOf(refused)).toContain('“closed soon”')
    expect(openai.requests.length).toBe(before)
    expect(await rig.chargeOf(requestIdOf(refused))).toBeUndefined()
    expect(asked.map(({ path }) => path)).toEqual(['/judge', '/judge'])
  })
})

test('a webhook that is not there refuses, and tells nobody where it should be', async () => {
  const refused = await call('m-gone')
  expect(refused.status).toBe(503)
  expect(await messageOf(refused)).not.toContain('127.0.0.1')
})

describe('about answers', () => {
  test('a whole one is judged before it is paid', async () => {
    answer = ({ json }) => Response.json({ action: 'mask', texts: json.texts.map(() => 'nothing') })
    const masked = await call('m-after', 'hi')
    expect(((await masked.json()) as AnyAnswer).choices[0]?.message.content).toBe('nothing')
    expect(await rig.chargeOf(requestIdOf(masked))).toBeGreaterThan(0)
    answer = say({ action: 'block' })
    const blocked = await call('m-after', 'hi')
    expect(blocked.status).toBe(400)
    expect(await rig.chargeOf(requestIdOf(blocked))).toBeUndefined()
    expect(await rig.logOf(requestIdOf(blocked))).toMatchObject({ quota: 0 })
  })

  test('a streamed one cannot be: it is refused or let through, as the rule says', async () => {
    const refused = await call('m-after', 'hi', true)
    expect(refused.status).toBe(400)
    expect(await messageOf(refused)).toContain('stream')
    const { text } = await readStream(await call('m-lax', 'hi', true))
    expect(text).toMatch(chat.endMark)
    expect(asked).toEqual([])
  })
})

describe('whoever could not be served anyway does not make it work', () => {
  const callBy = (by: string, model = 'm-open') => ask(rig.url, chat, { key: by, model, text: 'hello' })

  test('for want of money, until there is some', async () => {
    expect((await callBy(poor)).status).toBe(403)
    expect(asked).toEqual([])
    expect((await root.put('/api/user', { ...(await userOf(poorId)), quota: 5_000_000 })).json.success).toBe(
      true,
    )
    const paid = await until(async () => {
      const response = await callBy(poor)
      return response.status === 200 ? response : undefined
    })
    expect(asked.length).toBe(1)
    expect(await rig.chargeOf(requestIdOf(paid))).toBeGreaterThan(0)
  })

  test('for a limit', async () => {
    expect((await callBy(slow)).status).toBe(200)
    expect((await callBy(slow)).status).toBe(429)
    expect(asked.length).toBe(1)
  })

  test('for a model that nobody has', async () => {
    expect((await callBy(key, 'm-nowhere')).status).toBe(503)
    expect(asked).toEqual([])
  })
})

describe('a webhook with a secret of its own', () => {
  const save = async (rules: object[]): Promise<{ success: boolean; message: string }> =>
    (await root.put('/api/option', { key: 'Guards', value: JSON.stringify(rules) })).json
  const shown = async (): Promise<{ looks: { secret?: string } }[]> => {
    const { json } = await root.get('/api/option')
    return JSON.parse(json.data.find((one: { key: string }) => one.key === 'Guards').value)
  }
  const withSecret = (secret: string, more: object = {}) => ({
    ...OWN,
    ...more,
    looks: { ...OWN.looks, secret },
  })
  const sent = async (): Promise<string | null | undefined> => {
    asked.length = 0
    await call('m-own')
    return asked[0]?.authorization
  }

  test('is sent that, which nobody is shown and which is stored sealed', async () => {
    expect(await save([...RULES, withSecret('own-secret-7')])).toMatchObject({ success: true })
    await until(async () => (await sent()) === 'Bearer own-secret-7')
    expect((await shown()).at(-1)?.looks.secret).toBe('******')
    const stored = rig.store.db.selectFrom('options').select('value').where('key', '=', 'Guards')
    expect((await stored.executeTakeFirstOrThrow()).value).not.toContain('own-secret-7')
    expect((await root.get('/api/audit?page_size=100')).text).not.toContain('own-secret-7')
    await call('m-open')
    expect(asked.at(-1)?.authorization).toBe(`Bearer ${SECRET}`)
  })

  test('keeps it when what is shown is saved again', async () => {
    const rules = await shown()
    expect(await save([{ ...RULES[0], name: 'first' }, ...rules])).toMatchObject({ success: true })
    await until(async () => (await shown()).length === rules.length + 1)
    expect(await sent()).toBe('Bearer own-secret-7')
  })

  test('does not take it along to another name or address', async () => {
    for (const other of [
      withSecret('******', { name: 'other' }),
      { ...OWN, looks: { ...OWN.looks, url: `${service.url}elsewhere`, secret: '******' } },
    ])
      expect(await save([...RULES, other])).toEqual(
        expect.objectContaining({ success: false, message: expect.stringContaining('密钥') }),
      )
    expect(await save([...RULES, withSecret('x'.repeat(501))])).toMatchObject({ success: false })
    expect(await sent()).toBe('Bearer own-secret-7')
  })

  test('has the one for all again when its own is taken away', async () => {
    expect(await save([...RULES, OWN])).toMatchObject({ success: true })
    await until(async () => (await sent()) === `Bearer ${SECRET}`)
  })
})

async function userOf(id: number): Promise<object> {
  return (await root.get(`/api/user/${id}`)).json.data
}

interface AnyAnswer {
  readonly choices: readonly { readonly message: { readonly content: string } }[]
}
