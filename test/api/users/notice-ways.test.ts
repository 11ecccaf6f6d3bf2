import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { BodyInputOf } from '../../../contract/endpoint.ts'
import type { Endpoints } from '../../../contract/index.ts'
import type { Language } from '../../../contract/language.ts'
import { saveNoticeBody } from '../../../contract/notices.ts'
import { AppError } from '../../../server/errors.ts'
import { credit } from '../../../server/ledger/entries.ts'
import { configureLog } from '../../../server/log.ts'
import { createOutbound, type Outbound } from '../../../server/outbound/client.ts'
import type { App } from '../../../server/services/app.ts'
import { noticeHandlers } from '../../../server/services/notices/notice-settings.ts'
import { REMIND_EVERY, remindLowQuota } from '../../../server/services/notices/quota-notices.ts'
import { newUser } from '../../../server/services/setup.ts'
import { NoticeReceiver, readNotice } from '../../notice-receiver.ts'
import { openSampleStore } from '../../sample-store.ts'
import { Authority } from '../../services/authority.ts'
import { dropAll, engines } from '../../services/databases.ts'

const HOST = 'alerts.example'
const authority = new Authority()
let receiver: NoticeReceiver
const lines: string[] = []

beforeAll(() => {
  receiver = new NoticeReceiver(authority.issue(HOST))
  configureLog({ level: 'debug', write: line => lines.push(line) })
})
afterAll(async () => {
  configureLog({ level: 'info', write: line => process.stdout.write(line) })
  await receiver.close()
  authority.close()
  await dropAll()
})
beforeEach(() => {
  receiver.reset()
  lines.length = 0
})

/** The internet on this machine: names are judged as a user's are, then found here. */
function near(): Outbound {
  const judge = createOutbound({ lookup: async () => ['93.184.216.34'] })
  const here = createOutbound({ lookup: async () => ['127.0.0.1'] })
  return {
    ...judge,
    async fetch(address, options) {
      expect(options.policy).toBe('user')
      await judge.check(address, options.policy)
      const url = new URL(address)
      url.port = String(receiver.port)
      const secure = { ...options, policy: 'operator' as const, tls: { ca: authority.text } }
      return here.fetch(url, secure)
    },
  }
}

async function refusal(work: unknown): Promise<string> {
  const error = await Promise.resolve(work).then(
    () => undefined,
    error => error,
  )
  if (!(error instanceof AppError)) throw new Error(`no refusal but ${error}`)
  return error.text('en')
}

type Wish = BodyInputOf<Endpoints['saveNoticeSetting']>

describe.each(engines.map(engine => [engine.name, engine] as const))('notices on %s', (name, engine) => {
  const nodes: App[] = []
  let at = 1_700_000_000

  beforeAll(async () => {
    const url = await engine.freshUrl()
    for (let node = 0; node < 2; node++) {
      const store = await openSampleStore(url)
      nodes.push({ store, settings: store.settings, outbound: near(), now: () => at } as App)
    }
    for (const [key, value] of Object.entries({
      ServerAddress: 'https://gate.example',
      DisplayInCurrencyEnabled: 'false',
    }))
      await first().store.change('options', async transaction => {
        await transaction.insertInto('options').values({ key, value, updated_at: 1 }).execute()
      })
    await nodes[1]?.store.bus.catchUp()
  })
  afterAll(async () => {
    for (const { store } of nodes) await store.close()
  })

  function first(): App {
    const [app] = nodes
    if (!app) throw new Error('no node')
    return app
  }

  async function add(username: string, quota = 999): Promise<number> {
    const { store } = first()
    await store.db
      .insertInto('users')
      .values({ ...newUser(username, 'x', at), used_quota: 50 })
      .execute()
    const { id } = await store.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    if (quota > 0) await credit(store, at, { kind: 'gift', ref: username, userId: id, amount: quota })
    return id
  }

  const callOf = (id: number, language: Language) =>
    ({ caller: { id, username: `u${id}`, via: 'session' }, language, address: '' }) as never

  async function wish(id: number, body: Wish, language: Language = 'en'): Promise<void> {
    const call = { ...(callOf(id, language) as object), body: saveNoticeBody.parse(body) } as never
    await noticeHandlers(first()).saveNoticeSetting(call)
  }

  const shown = (id: number) => noticeHandlers(first()).noticeSetting(callOf(id, 'en'))
  const tryOut = (id: number, language: Language = 'en') =>
    noticeHandlers(first()).testNotice(callOf(id, language))

  /** Every node looks at the same moment, twice. */
  async function look(): Promise<number> {
    receiver.received.length = 0
    await Promise.all(nodes.flatMap(node => [remindLowQuota(node), remindLowQuota(node)]))
    return receiver.received.length
  }

  const use = (id: number, used_quota: number) =>
    first().store.db.updateTable('users').set({ used_quota }).where('id', '=', id).execute()

  /** Nobody of the tests before is told again. */
  const settle = () => first().store.db.updateTable('users').set({ status: 2 }).execute()
  beforeEach(settle)

  test('a webhook gets one signed notice from two nodes, in the language of who asked for it', async () => {
    const id = await add('ann')
    await wish(id, {
      notify_type: 'webhook',
      webhook_url: `https://${HOST}/in/s3cret-path`,
      webhook_secret: 'shh-hook',
    })
    expect(await look()).toBe(1)
    const got = await receiver.next()
    expect([got.method, got.path]).toEqual(['POST', '/in/s3cret-path'])
    expect(readNotice(got, 'shh-hook')).toEqual({
      type: 'quota_exceed',
      title: 'Your quota is running low · Tollgate',
      content:
        'ann, your quota is running low: 999 is left. Please top up in time.\nhttps://gate.example/topup',
      values: ['999', 'https://gate.example/topup'],
      timestamp: at,
    })
    // Two hours hold whatever the way, also one that was chosen meanwhile.
    await use(id, 60)
    at += REMIND_EVERY - 1
    expect(await look()).toBe(0)
    await wish(
      id,
      { notify_type: 'bark', bark_url: `https://${HOST}/dev1ce/{{title}}/{{content}}?group=a` },
      'zh',
    )
    expect(await look()).toBe(0)
    at += 1
    expect(await look()).toBe(1)
    const bark = await receiver.next()
    expect([bark.method, decodeURIComponent(bark.path)]).toEqual([
      'GET',
      '/dev1ce/您的额度即将用尽 · Tollgate/ann，您的额度即将用尽，当前剩余额度为 999，为了不影响您的使用，请及时充值。\nhttps://gate.example/topup?group=a',
    ])
    at += REMIND_EVERY
    expect(await look()).toBe(0)
  })

  test('a team’s goes to nobody while the owner who had it sent to them is banned', async () => {
    const [team, owner] = [await add('a team'), await add('its owner', 0)]
    const { db } = first().store
    await db
      .insertInto('team_members')
      .values({ team_id: team, user_id: owner, role: 'owner', added_by: owner, added_at: at })
      .execute()
    const acting = { person: { id: owner, username: 'its owner' }, isOwner: true }
    const body = saveNoticeBody.parse({ notify_type: 'webhook', webhook_url: `https://${HOST}/in` })
    const call = {
      caller: { id: team, username: 'a team', via: 'session', acting },
      language: 'en',
      address: '',
    }
    await noticeHandlers(first()).saveNoticeSetting({ ...call, body } as never)
    const setStatus = (status: number) =>
      db.updateTable('users').set({ status }).where('id', '=', owner).execute()
    await setStatus(2)
    expect(await look()).toBe(0)
    await setStatus(1)
    expect(await look()).toBe(1)
  })

  test('Gotify gets its token in a header, its address with or without a slash or a path', async () => {
    const id = await add('bob', 0)
    await wish(id, {
      notify_type: 'gotify',
      gotify_url: `https://${HOST}/push/`,
      gotify_token: 'A.tok3n',
      gotify_priority: 8,
    })
    expect(await look()).toBe(1)
    const got = await receiver.next()
    expect([got.method, got.path, got.headers.get('x-gotify-key')]).toEqual([
      'POST',
      '/push/message',
      'A.tok3n',
    ])
    expect(got.json).toEqual({
      title: 'Your quota is used up · Tollgate',
      message: 'bob, your quota is used up: 0 is left. Please top up in time.\nhttps://gate.example/topup',
      priority: 8,
    })
  })

  test.each([
    [1000, 0, 0],
    [999, 0, 1],
    [5000, 5000, 0],
    [4999, 5000, 1],
    [5, 5, 0],
    [4, 5, 1],
    [9_007_199_254_740_000, Number.MAX_SAFE_INTEGER, 1],
  ])('who has %d and is to be told below %d is told %d times', async (quota, threshold, times) => {
    const id = await add(`t${quota}-${threshold}`, quota)
    await wish(id, {
      notify_type: 'webhook',
      webhook_url: `https://${HOST}/`,
      quota_warning_threshold: threshold,
    })
    expect(await look()).toBe(times)
  })

  test('what was not taken is tried again at once where that is of use, and ten minutes later', async () => {
    const id = await add('dan')
    await wish(id, {
      notify_type: 'webhook',
      webhook_url: `https://${HOST}/in/k3y-in-path`,
      webhook_secret: 'shh-hook',
    })
    let refusals = 1
    receiver.answer = () => new Response('', { status: refusals-- > 0 ? 503 : 200 })
    expect(await look()).toBe(2)
    await use(id, 70)
    at += REMIND_EVERY
    receiver.answer = () => new Response('', { status: 404 })
    expect(await look()).toBe(1)
    expect(lines.join()).toContain('refused: HTTP 404')
    receiver.reset()
    expect(await look()).toBe(0)
    at += 600
    expect(await look()).toBe(1)
    expect(lines.join()).not.toMatch(/k3y-in-path|shh-hook|alerts\.example/)
  })

  test('a redirect leads nowhere, and a long answer is not read', async () => {
    const id = await add('eve')
    await wish(id, { notify_type: 'webhook', webhook_url: `https://${HOST}/start` })
    receiver.answer = () => Response.redirect('https://169.254.169.254/latest/meta-data/', 307)
    expect(await refusal(tryOut(id))).toBe('The message was not taken: HTTP 307')
    receiver.answer = ({ path }) =>
      path === '/inside' ? new Response('ok') : Response.redirect('/inside', 308)
    expect(await refusal(tryOut(id))).toBe('The message was not taken: HTTP 308')
    expect(receiver.received.map(({ path }) => path)).toEqual(['/start', '/start'])

    let pulled = 0
    const stopped = Promise.withResolvers<void>()
    receiver.answer = () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            pulled++
            await Bun.sleep(1)
            controller.enqueue(new Uint8Array(65_536))
          },
          cancel: () => stopped.resolve(),
        }),
      )
    await tryOut(id)
    await stopped.promise
    expect(pulled).toBeLessThan(200)
  })

  // Once: it takes as long as anybody is waited for, whatever the database.
  if (name === 'sqlite')
    test('one that never answers keeps nobody else from being told', async () => {
      const hung = await add('fay')
      await wish(hung, { notify_type: 'webhook', webhook_url: `https://${HOST}/hangs` })
      const fine = await add('gus')
      await wish(fine, { notify_type: 'webhook', webhook_url: `https://${HOST}/fine` })
      const end = Promise.withResolvers<Response>()
      receiver.answer = ({ path }) => (path === '/hangs' ? end.promise : new Response('ok'))
      receiver.received.length = 0
      const looking = remindLowQuota(first())
      const paths = [await receiver.next(), await receiver.next()].map(({ path }) => path)
      expect(paths.sort()).toEqual(['/fine', '/hangs'])
      await looking
      expect(lines.join()).toContain('outbound.timeout')
      end.resolve(new Response('late'))
    })

  test('chats get their own form, and what they refuse in a 200 is seen', async () => {
    const id = await add('hal')
    const { outbound } = first()
    const sent: { url: string; body: unknown }[] = []
    let answer = '{"errcode":0,"errmsg":"ok"}'
    const app = {
      ...first(),
      outbound: {
        ...outbound,
        async fetch(url: string | URL, { body }: { body?: unknown }) {
          sent.push({ url: new URL(url).host, body: JSON.parse(String(body)) })
          return new Response(answer)
        },
      },
    } as App
    const say = async (url: string) => {
      await wish(id, { notify_type: 'webhook', webhook_url: url })
      await noticeHandlers(app).testNotice(callOf(id, 'en'))
      return sent.pop()?.body
    }
    const text = 'Tollgate: test message\nYou have this message, so the settings work.'
    expect(await say('https://hooks.slack.com/services/T/B/x')).toEqual({ text })
    expect(await say('https://discord.com/api/webhooks/1/x/slack')).toEqual({ text })
    expect(await say('https://open.feishu.cn/open-apis/bot/v2/hook/x')).toEqual({
      msg_type: 'text',
      content: { text },
    })
    expect(await say('https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=x')).toEqual({
      msgtype: 'text',
      text: { content: text },
    })
    answer = '{"errcode":310000,"errmsg":"keywords not in content"}'
    expect(await refusal(say('https://oapi.dingtalk.com/robot/send?access_token=x'))).toBe(
      'The message was not taken: 310000 keywords not in content',
    )
  })

  test('secrets are kept while their address is, sealed, and never shown', async () => {
    const id = await add('ida')
    const saved = {
      notify_type: 'gotify',
      gotify_url: `https://${HOST}/push`,
      gotify_token: 'A.tok3n',
    } as const
    await wish(id, saved)
    await wish(id, { ...saved, gotify_token: '', quota_warning_threshold: 7 })
    await tryOut(id)
    expect((await receiver.next()).headers.get('x-gotify-key')).toBe('A.tok3n')
    expect(await shown(id)).toEqual({
      notify_type: 'gotify',
      quota_warning_threshold: 7,
      notification_email: '',
      webhook_url: '',
      webhook_secret_set: false,
      bark_url: '',
      gotify_url: `https://${HOST}/push`,
      gotify_token_set: true,
      gotify_priority: 5,
    })
    // To another address it is not taken along.
    expect(
      await refusal(wish(id, { ...saved, gotify_url: `https://other.example/push`, gotify_token: '' })),
    ).toBe('Enter the Gotify token')
    const { db } = first().store
    const rows = [
      await db.selectFrom('user_notices').selectAll().execute(),
      await db.selectFrom('audit_records').selectAll().execute(),
    ]
    expect(JSON.stringify(rows)).toContain('"notify_to\\":\\"alerts.example')
    expect(JSON.stringify(rows)).not.toMatch(/A\.tok3n|shh-hook|s3cret-path|dev1ce|k3y-in-path/)
    expect(await refusal(Promise.all(Array.from({ length: 11 }, () => tryOut(id))))).toStartWith('Too many')
  })
})
