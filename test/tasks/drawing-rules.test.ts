import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { Client } from '../client.ts'
import { ROOT_PASSWORD } from '../program.ts'
import { serveLoopback } from '../serve-loopback.ts'
import { PICTURE, WORDS } from '../upstreams/midjourney/start-midjourney.ts'
import { type DrawingHouse, openDrawingHouse } from './drawing-house.ts'

const CENT = 5000

let upstream: DrawingHouse['upstream']
let house: DrawingHouse['house']
let upstreamId: DrawingHouse['upstreamId']
let draw: DrawingHouse['draw']
let drawn: DrawingHouse['drawn']
let bodySent: DrawingHouse['bodySent']
let close: DrawingHouse['close']

beforeAll(async () => {
  ;({ upstream, house, upstreamId, draw, drawn, bodySent, close } = await openDrawingHouse())
})
afterAll(() => close())

test('a picture that its proxy keeps elsewhere is fetched from there, and from nowhere inside', async () => {
  const { id, at } = await drawn()
  const fetchFrom = async (path: string) => {
    await house.store.db
      .updateTable('midjourneys')
      .set({ image_url: `${upstream.url}${path}` })
      .where('mj_id', '=', id)
      .execute()
    return fetch(`${house.url}/mj/image/${id}`)
  }
  const picture = await fetchFrom(`/moved/${at}.png`)
  expect([picture.status, Buffer.from(await picture.arrayBuffer())]).toEqual([200, PICTURE])
  expect((await fetchFrom('/moved/outside/1.png')).status).toBe(502)
})

test('what a picture shows is told as its prompt', async () => {
  const { json } = await house.call('POST', '/mj/submit/describe', { link: 'https://a.example/cat.png' })
  upstream.succeed(await upstreamId(json.result))
  await house.poll()
  const fetched = (await house.call('GET', `/mj/task/${json.result}/fetch`)).json
  expect([fetched.status, fetched.prompt, fetched.promptEn]).toEqual(['SUCCESS', WORDS, WORDS])
})

test('who has all descriptions of a picture drawn pays for four drawings, and gets all of it back', async () => {
  const { json } = await house.call('POST', '/mj/submit/describe', { link: 'https://a.example/cat.png' })
  upstream.succeed(await upstreamId(json.result))
  await house.poll()
  await house.spent()
  const press = async (customId: string) => {
    const pressed = await house.call('POST', '/mj/submit/action', { taskId: json.result, customId })
    return { id: String(pressed.json.result), spent: await house.spent() }
  }
  const { spent: each } = await press('MJ::Job::PicReader::1')
  expect(each).toBeGreaterThan(0)
  const all = await press('MJ::Job::PicReader::all')
  expect(all.spent).toBe(4 * each)
  upstream.fail(await upstreamId(all.id), 'banned')
  await house.poll()
  expect(await house.spent()).toBe(-4 * each)
})

test('somebody else has no such task', async () => {
  const { id } = await drawn()
  const before = upstream.requests.length
  const { key } = house.stranger
  const calls: [string, string, unknown?][] = [
    ['GET', `/mj/task/${id}/fetch`],
    ['GET', `/mj/task/${id}/image-seed`],
    ['POST', '/mj/submit/change', { taskId: id, action: 'REROLL' }],
    ['POST', '/mj/submit/simple-change', { content: `${id} U1` }],
    ['POST', '/mj/submit/modal', { taskId: id, prompt: 'x' }],
  ]
  for (const [method, path, body] of calls) {
    const foreign = await house.call(method, path, body, key)
    const absent = await house.call(method, path.replace(id, '1'), replaceId(body, id), key)
    expect([foreign.status, foreign.json]).toEqual([absent.status, absent.json])
    expect([foreign.status, foreign.json.description]).toEqual([404, 'task_not_found'])
  }
  const listed = await house.call('POST', '/mj/task/list-by-condition', { ids: [id] }, key)
  expect([listed.status, listed.json]).toEqual([200, []])
  expect(upstream.requests.length).toBe(before)
})

function replaceId(body: unknown, id: string): unknown {
  return body === undefined ? undefined : JSON.parse(JSON.stringify(body).replaceAll(id, '1'))
}

test('several at once, and the seed', async () => {
  const [one, two] = [await drawn(), await draw()]
  const { json } = await house.call('POST', '/mj/task/list-by-condition', { ids: [one.id, two.id, 'x', 7] })
  expect(json.map((task: { id: string; status: string }) => [task.id, task.status])).toEqual([
    [one.id, 'SUCCESS'],
    [two.id, 'SUBMITTED'],
  ])
  // Neither the upstream's account nor where it tells of its tasks is anybody's business.
  expect((await house.call('GET', `/mj/task/${one.id}/image-seed`)).json).toEqual({
    code: 1,
    description: 'success',
    result: '3141592653',
    properties: { nonce: '7' },
  })
})

test('a seed or a picture that is long in coming is waited for', async () => {
  const { id } = await drawn()
  upstream.delay(14_000)
  try {
    const [seed, picture] = await Promise.all([
      house.call('GET', `/mj/task/${id}/image-seed`),
      fetch(`${house.url}/mj/image/${id}`),
    ])
    expect([seed.json.result, picture.status]).toEqual(['3141592653', 200])
  } finally {
    upstream.delay(0)
  }
})

test('who has no key, no money, or no right to the model', async () => {
  expect((await house.call('POST', '/mj/submit/imagine', { prompt: 'x' }, '')).status).toBe(401)
  const poor = await house.addUser({ quota: 49_999 })
  const token = await house.addToken({ userId: poor })
  const before = upstream.requests.length
  const refused = await house.call('POST', '/mj/submit/imagine', { prompt: 'x' }, token.key)
  expect([refused.status, refused.json]).toEqual([
    400,
    { description: 'quota_not_enough', type: 'upstream_error', code: 4 },
  ])
  const limited = await house.addToken({ userId: house.payer.userId, models: ['mj_blend'] })
  expect((await house.call('POST', '/mj/submit/imagine', { prompt: 'x' }, limited.key)).status).toBe(403)
  expect(upstream.requests.length).toBe(before)
  const secret = await fetch(`${house.url}/mj/submit/imagine`, {
    method: 'POST',
    headers: { 'mj-api-secret': house.payer.key, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'x' }),
  })
  expect(secret.status).toBe(200)
})

test('a budget that was spent on a failure can be spent again', async () => {
  const token = await house.addToken({ userId: house.payer.userId, budget: 50_000 })
  const { json } = await house.call('POST', '/mj/submit/imagine', { prompt: 'x' }, token.key)
  const read = () =>
    house.store.db
      .selectFrom('tokens')
      .select(['remain_quota', 'used_quota', 'status'])
      .where('id', '=', token.id)
      .executeTakeFirstOrThrow()
  expect(await read()).toEqual({ remain_quota: 0, used_quota: 50_000, status: 4 })
  upstream.fail(await upstreamId(json.result), 'no')
  await house.poll()
  expect(await read()).toEqual({ remain_quota: 50_000, used_quota: 0, status: 1 })
})

test('what the operator allows of the body', async () => {
  const body = {
    prompt: 'a cat --fast --v 6 --relax',
    notifyHook: 'https://hook.example/x',
    accountFilter: { modes: ['FAST'] },
  }
  await house.call('POST', '/mj/submit/imagine', body)
  expect(bodySent()?.json).toEqual({ prompt: body.prompt })
  await house.setOption('MjModeClearEnabled', 'true')
  await house.setOption('MjAccountFilterEnabled', 'true')
  try {
    await house.call('POST', '/mj/submit/imagine', body)
    expect(bodySent()?.json).toEqual({ prompt: 'a cat --v 6', accountFilter: { modes: ['FAST'] } })
  } finally {
    await house.setOption('MjModeClearEnabled', 'false')
    await house.setOption('MjAccountFilterEnabled', 'false')
  }
})

test('a prompt that is mostly blank is read as fast as any', async () => {
  await house.setOption('MjModeClearEnabled', 'true')
  try {
    const blank = ' '.repeat(500_000)
    await house.call('POST', '/mj/submit/imagine', { prompt: `a${blank}cat${blank}--fast` })
    expect(bodySent()?.json).toEqual({ prompt: `a${blank}cat` })
  } finally {
    await house.setOption('MjModeClearEnabled', 'false')
  }
})

test('a task that cannot be written down keeps no other from its end', async () => {
  const first = await draw()
  const others = [await draw(), await draw()]
  const { db } = house.store
  await sql`create trigger unwritable before update on midjourneys when old.mj_id = ${sql.lit(first.id)}
    begin select raise(abort, 'no'); end`.execute(db)
  try {
    for (const { at } of [first, ...others]) upstream.succeed(at)
    await house.poll()
    const states = await db.selectFrom('task_runs').select(['id', 'state']).execute()
    const stateOf = (id: string) => states.find(run => run.id === id)?.state
    expect([first, ...others].map(({ id }) => stateOf(id))).toEqual(['running', 'done', 'done'])
  } finally {
    await sql`drop trigger unwritable`.execute(db)
  }
  await house.poll()
  expect((await house.call('GET', `/mj/task/${first.id}/fetch`)).json.status).toBe('SUCCESS')
})

test('addresses of pictures are the upstream’s where the operator wants that', async () => {
  const { id, at } = await drawn()
  await house.setOption('MjForwardUrlEnabled', 'false')
  try {
    const { json } = await house.call('GET', `/mj/task/${id}/fetch`)
    expect(json.imageUrl).toBe(`${upstream.url}/picture/${at}.png`)
  } finally {
    await house.setOption('MjForwardUrlEnabled', 'true')
  }
})

test('a picture is fetched from where users may reach, or from the upstream itself', async () => {
  const { id, at } = await drawn()
  const inner = serveLoopback(() => new Response('inner'))
  try {
    for (const imageUrl of [inner.url.href, 'http://169.254.169.254/latest', 'file:///etc/passwd']) {
      await house.store.db
        .updateTable('midjourneys')
        .set({ image_url: imageUrl })
        .where('mj_id', '=', id)
        .execute()
      const answer = await fetch(`${house.url}/mj/image/${id}`)
      expect([answer.status, (await answer.json()).description]).toEqual([502, '图片暂时无法获取'])
    }
  } finally {
    await inner.stop(true)
  }
  expect((await fetch(`${house.url}/mj/image/${at}`)).status).toBe(404)
})

describe('an upstream that does not tell what it should', () => {
  test.each([
    ['no list', () => Response.json({ code: 1 })],
    ['a list of nothing', () => Response.json([null, 7, 'x', [], { id: null }, { id: {} }])],
    ['no JSON', () => new Response('<html>')],
    ['an error', () => Response.json({ code: 5, description: 'oops' }, { status: 500 })],
    ['no status', () => Response.json([...upstream.drawings.keys()].map(id => ({ id, progress: 5 })))],
    [
      'other types',
      () => {
        const odd = {
          status: 'WHO KNOWS',
          progress: {},
          buttons: 'x',
          properties: 7,
          failReason: [],
          imageUrl: 1,
        }
        return Response.json([...upstream.drawings.keys()].map(id => ({ id, ...odd })))
      },
    ],
  ])('%s: it waits, and in the end it has failed', async (_name, answer) => {
    await house.spent()
    const { id } = await draw()
    upstream.listing(answer)
    try {
      await house.poll()
      const { json, status } = await house.call('GET', `/mj/task/${id}/fetch`)
      expect([status, json.failReason, json.buttons]).toEqual([200, '', []])
      expect(await house.spent()).toBe(10 * CENT)
      await house.poll(3700)
      expect((await house.call('GET', `/mj/task/${id}/fetch`)).json.status).toBe('FAILURE')
      expect(await house.refunds(id)).toHaveLength(1)
    } finally {
      upstream.listing(undefined)
    }
  })

  test('whoever asks does not wait for it', async () => {
    const { id } = await draw()
    upstream.listing(() => new Promise(() => {}))
    const { status, json } = await house.call('GET', `/mj/task/${id}/fetch`)
    expect([status, json.status]).toEqual([200, 'SUBMITTED'])
    upstream.listing(undefined)
  })
})

test('the records tell of it, to its owner without the channel', async () => {
  const { id } = await drawn()
  const root = new Client(house.url)
  await root.login('root', ROOT_PASSWORD)
  const [row] = (await root.get(`/api/mj/?p=0&mj_id=${id}`)).json.data
  expect(row).toMatchObject({
    user_id: house.payer.userId,
    code: 1,
    action: 'IMAGINE',
    status: 'SUCCESS',
    progress: '100%',
    prompt: 'a cat',
    quota: 50_000,
    image_url: `/mj/image/${id}`,
  })
  expect(row.channel_id).toBeGreaterThan(0)
})

test('words that the operator does not allow are refused before anything is paid', async () => {
  await house.setOption('SensitiveWords', 'forbidden fruit')
  const before = upstream.requests.length
  await house.spent()
  const refused = await house.call('POST', '/mj/submit/imagine', { prompt: 'a Forbidden Fruit' })
  expect([refused.status, refused.json.type, await house.spent()]).toEqual([400, 'new_api_error', 0])
  expect(upstream.requests.length).toBe(before)
  await house.setOption('SensitiveWords', '')
})

test('while drawing is switched off nothing new is begun; what was begun goes on', async () => {
  const { id, at } = await draw()
  const done = await drawn()
  await house.spent()
  const before = upstream.requests.length
  await house.setOption('DrawingEnabled', 'false')
  try {
    const calls: [string, object][] = [
      ['/mj/submit/imagine', { prompt: 'a cat' }],
      ['/mj/submit/change', { taskId: done.id, action: 'REROLL' }],
    ]
    for (const [path, body] of calls) {
      const answer = await house.call('POST', path, body)
      expect([answer.status, answer.json]).toEqual([
        403,
        { description: '管理员关闭了绘图功能', type: 'upstream_error', code: 4 },
      ])
    }
    expect(upstream.requests.length).toBe(before)
    expect(await house.spent()).toBe(0)
    upstream.succeed(at)
    await house.poll()
    expect((await house.call('GET', `/mj/task/${id}/fetch`)).json.status).toBe('SUCCESS')
  } finally {
    await house.setOption('DrawingEnabled', 'true')
  }
  expect((await house.call('POST', '/mj/submit/imagine', { prompt: 'a cat' })).json.code).toBe(1)
})
