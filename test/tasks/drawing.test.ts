import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PICTURE } from '../upstreams/midjourney/start-midjourney.ts'
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

test('a drawing from its prompt to its picture, paid once', async () => {
  await house.spent()
  const body = { prompt: 'a cat', state: 'mine', botType: 'MID_JOURNEY', base64Array: [] }
  const submitted = await house.call('POST', '/mj/submit/imagine', body)
  expect([submitted.status, submitted.json]).toEqual([
    200,
    { code: 1, description: '提交成功', properties: {}, result: expect.stringMatching(/^\d{25}$/) },
  ])
  expect(await house.spent()).toBe(10 * CENT)
  const log = await house.logOf(submitted.requestId)
  expect([log.type, log.model_name, log.quota, log.details.model_price]).toEqual([
    2,
    'mj_imagine',
    50_000,
    0.1,
  ])
  const id: string = submitted.json.result
  expect(log.details).toMatchObject({ task_id: id, action: 'IMAGINE' })
  const at = await upstreamId(id)
  upstream.change(at, { status: 'IN_PROGRESS', progress: '65%', startTime: 1_700_000_000_000 })
  await house.poll()
  expect((await house.call('GET', `/mj/task/${id}/fetch`)).json).toMatchObject({
    status: 'IN_PROGRESS',
    progress: '65%',
    startTime: 1_700_000_000_000,
  })
  upstream.succeed(at)
  await house.poll()
  const fetched = (await house.call('GET', `/mj/task/${id}/fetch`)).json
  expect(fetched).toEqual({
    id,
    action: 'IMAGINE',
    customId: '',
    botType: '',
    prompt: 'a cat',
    promptEn: 'a cat',
    description: '',
    state: 'mine',
    submitTime: expect.any(Number),
    startTime: 1_700_000_000_000,
    finishTime: 1_700_000_060_000,
    imageUrl: `${house.url}/mj/image/${id}`,
    status: 'SUCCESS',
    progress: '100%',
    failReason: '',
    buttons: expect.any(Array),
    maskBase64: '',
    properties: { finalPrompt: 'final words' },
  })
  expect(fetched.buttons).toHaveLength(9)
  expect(JSON.stringify(fetched)).not.toContain('account-77')
  const picture = await fetch(fetched.imageUrl)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(Buffer.from(await picture.arrayBuffer())).toEqual(PICTURE)
  expect(await house.spent()).toBe(0)
})

test('a failed drawing is refunded once, whoever asks how often', async () => {
  await house.spent()
  const { id, at } = await draw()
  upstream.fail(at, `${upstream.url} refused ${upstream.key}`)
  await house.poll()
  await house.poll()
  const fetched = (await house.call('GET', `/mj/task/${id}/fetch`)).json
  expect([fetched.status, fetched.progress]).toEqual(['FAILURE', '100%'])
  expect(fetched.failReason).not.toContain(upstream.key)
  expect(fetched.failReason).not.toContain(new URL(upstream.url).host)
  expect(await house.spent()).toBe(0)
  expect(await house.refunds(id)).toEqual([`构图失败 ${id}，补偿 ＄0.100000 额度 50000`])
})

test('one that has failed before its charge is on the books ends when it is, and is refunded then', async () => {
  await house.spent()
  const { id, at } = await draw()
  const run = () =>
    house.store.db.selectFrom('task_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const { request_id } = await run()
  const chargeIs = (state: 'open' | 'settled') =>
    house.store.db.updateTable('holds').set({ state }).where('id', '=', request_id).execute()
  // As while the node that submitted it waits for its database.
  await chargeIs('open')
  upstream.fail(at, 'no')
  await house.poll()
  expect([(await run()).state, await house.refunds(id), await house.spent()]).toEqual([
    'running',
    [],
    10 * CENT,
  ])
  await chargeIs('settled')
  await house.poll()
  expect([(await run()).state, await house.spent()]).toEqual(['failed', -10 * CENT])
  expect(await house.refunds(id)).toHaveLength(1)
})

test('after an hour it has failed, also with an upstream that says nothing', async () => {
  await house.spent()
  const { id } = await draw()
  await house.poll(3500)
  expect(await house.spent()).toBe(10 * CENT)
  await house.poll(3605)
  await house.poll(3605)
  expect(await house.spent()).toBe(-10 * CENT)
  const { json } = await house.call('GET', `/mj/task/${id}/fetch`)
  expect([json.status, json.failReason]).toEqual(['FAILURE', '任务超时（超过 60 分钟）'])
  expect(await house.refunds(id)).toHaveLength(1)
})

describe('what goes on from a drawing', () => {
  test.each([
    ['change', { action: 'UPSCALE', index: 2 }, 'UPSCALE', 5],
    ['change', { action: 'VARIATION', index: 4 }, 'VARIATION', 10],
    ['change', { action: 'REROLL' }, 'REROLL', 10],
    ['action', { customId: 'MJ::JOB::upsample::2::' }, 'UPSCALE', 5],
    ['action', { customId: 'MJ::JOB::variation::1::' }, 'VARIATION', 10],
    ['action', { customId: 'MJ::JOB::high_variation::1::', end: '::SOLO' }, 'HIGH_VARIATION', 10],
    ['action', { customId: 'MJ::JOB::low_variation::1::', end: '::SOLO' }, 'LOW_VARIATION', 10],
    ['action', { customId: 'MJ::JOB::pan_left::1::', end: '::SOLO' }, 'PAN', 10],
    ['action', { customId: 'MJ::JOB::reroll::0::', end: '::SOLO' }, 'REROLL', 10],
    ['action', { customId: 'MJ::Outpaint::50::1::', end: '::SOLO' }, 'ZOOM', 10],
    ['video', { motion: 'low', index: 1 }, 'VIDEO', 80],
  ])('%s %p is %s', async (kind, body, action, cents) => {
    const { id, at } = await drawn()
    const { end = '', ...rest } = body as Record<string, unknown>
    if (rest.customId) rest.customId = `${rest.customId}${at}${end}`
    await house.spent()
    const { json, status } = await house.call('POST', `/mj/submit/${kind}`, { taskId: id, ...rest })
    expect([status, json.code]).toEqual([200, 1])
    expect(await house.spent()).toBe(cents * CENT)
    expect(bodySent()?.json).toEqual({ taskId: at, ...rest })
    const fetched = (await house.call('GET', `/mj/task/${json.result}/fetch`)).json
    expect([fetched.action, fetched.status]).toEqual([action, 'SUBMITTED'])
  })

  test.each([
    ['U3', 'UPSCALE', 5],
    ['v1', 'VARIATION', 10],
    ['R', 'REROLL', 10],
  ])('in short: %s', async (word, action, cents) => {
    const { id, at } = await drawn()
    await house.spent()
    const { json } = await house.call('POST', '/mj/submit/simple-change', { content: `${id} ${word}` })
    expect([json.code, await house.spent()]).toEqual([1, cents * CENT])
    expect(bodySent()?.json).toEqual({ content: `${at} ${word.toUpperCase()}` })
    expect((await house.call('GET', `/mj/task/${json.result}/fetch`)).json.action).toBe(action)
  })

  test('a window waits for words: code 21 stays, and the modal pays', async () => {
    const { id, at } = await drawn()
    await house.spent()
    upstream.next({ code: 21, description: 'Waiting for window confirm' })
    const customId = `MJ::Inpaint::1::${at}::SOLO`
    const opened = (await house.call('POST', '/mj/submit/action', { taskId: id, customId })).json
    expect([opened.code, await house.spent()]).toEqual([21, 0])
    expect((await house.call('GET', `/mj/task/${opened.result}/fetch`)).json.status).toBe('MODAL')
    const modal = { taskId: opened.result, prompt: 'a hat', maskBase64: 'aGk=' }
    const answered = (await house.call('POST', '/mj/submit/modal', modal)).json
    expect([answered.code, await house.spent()]).toEqual([1, 10 * CENT])
    upstream.fail(await upstreamId(opened.result), 'no hat')
    await house.poll()
    for (const one of [opened.result, answered.result])
      expect((await house.call('GET', `/mj/task/${one}/fetch`)).json.status).toBe('FAILURE')
    expect(await house.spent()).toBe(-10 * CENT)
  })

  test('it must be finished, unless the operator does not mind', async () => {
    const { id } = await draw()
    const body = { taskId: id, action: 'REROLL' }
    const refused = await house.call('POST', '/mj/submit/change', body)
    expect([refused.status, refused.json]).toEqual([
      400,
      { description: 'task_status_not_success', type: 'upstream_error', code: 4 },
    ])
    await house.setOption('MjActionCheckSuccessEnabled', 'false')
    try {
      expect((await house.call('POST', '/mj/submit/change', body)).json.code).toBe(1)
    } finally {
      await house.setOption('MjActionCheckSuccessEnabled', 'true')
    }
  })
})

describe('what begins by itself', () => {
  test.each([
    ['submit/describe', { base64: 'data:image/png;base64,aGk=' }, 'DESCRIBE', 5],
    ['submit/blend', { base64Array: ['a', 'b'], dimensions: 'SQUARE' }, 'BLEND', 10],
    ['submit/shorten', { prompt: 'a very long prompt' }, 'SHORTEN', 10],
    ['submit/edits', { prompt: 'a hat', image: 'aGk=' }, 'EDITS', 10],
    ['insight-face/swap', { sourceBase64: 'aGk=', targetBase64: 'aGk=' }, 'SWAP_FACE', 5],
  ])('%s', async (path, body, action, cents) => {
    await house.spent()
    const { json } = await house.call('POST', `/mj/${path}`, body)
    expect([json.code, await house.spent()]).toEqual([1, cents * CENT])
    const fetched = (await house.call('GET', `/mj/task/${json.result}/fetch`)).json
    expect([fetched.action, fetched.status]).toEqual([action, 'SUBMITTED'])
  })

  test('pictures that are put up are their own result', async () => {
    await house.spent()
    const { json } = await house.call('POST', '/mj/submit/upload-discord-images', { base64Array: ['a'] })
    expect(json).toMatchObject({ code: 1, result: ['https://cdn.example/1.png'] })
    expect(await house.spent()).toBe(5 * CENT)
    const runs = house.store.db.selectFrom('task_runs').select('state').where('action', '=', 'UPLOAD')
    expect(await runs.execute()).toEqual([{ state: 'done' }])
  })
})

test.each(['mj-fast', 'mj-turbo', 'mj-relax', 'something'])('the mode %s', async mode => {
  const { json } = await house.call('POST', `/${mode}/mj/submit/imagine`, { prompt: 'a cat' })
  expect(json.code).toBe(1)
  const prefix = mode === 'something' ? '' : `/${mode}`
  expect(bodySent()?.path).toBe(`${prefix}/mj/submit/imagine`)
  const fetched = await house.call('GET', `/${mode}/mj/task/${json.result}/fetch`)
  expect([fetched.status, fetched.json.id]).toEqual([200, json.result])
})

describe('what the upstream answers', () => {
  test.each([
    [{ code: 22, description: '排队中，前面还有1个任务', properties: { numberOfQueues: 1 } }, 'SUBMITTED'],
    [{ code: 21, description: '任务已存在', properties: { status: 'IN_PROGRESS' } }, 'SUBMITTED'],
    [
      {
        code: 21,
        description: '任务已存在',
        properties: { status: 'SUCCESS', imageUrl: 'https://x.example/1.png' },
      },
      'SUCCESS',
    ],
  ])('%p is as good as accepted', async (answer, status) => {
    await house.spent()
    upstream.next(answer)
    const { json } = await house.call('POST', '/mj/submit/imagine', { prompt: 'a cat' })
    expect(json).toMatchObject({ code: 1, description: answer.description, properties: answer.properties })
    expect(await house.spent()).toBe(10 * CENT)
    expect((await house.call('GET', `/mj/task/${json.result}/fetch`)).json.status).toBe(status)
  })

  test.each([
    ['imagine', { code: 24, description: '可能包含敏感词' }, 400, '可能包含敏感词'],
    ['imagine', { code: 4, description: 'bad', status: 400 }, 400, 'bad'],
    // These two let the channel rest for a while, for the same kind of work.
    ['shorten', { code: 23, description: '队列已满，请稍后尝试' }, 400, '队列已满，请稍后尝试'],
    [
      'edits',
      { code: 30, description: 'saturated' },
      429,
      expect.stringContaining('saturated 当前分组负载已饱和'),
    ],
  ])('to %s %p: refused, costs nothing and is on record', async (kind, answer, status, description) => {
    await house.spent()
    upstream.next(answer)
    const refused = await house.call('POST', `/mj/submit/${kind}`, { prompt: 'not this' })
    expect([refused.status, refused.json]).toEqual([
      status,
      { description, type: 'upstream_error', code: answer.code },
    ])
    expect([await house.spent(), await house.chargeOf(refused.requestId)]).toEqual([0, undefined])
    const record = await house.store.db
      .selectFrom('midjourneys')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect([record.code, record.status]).toEqual([0, 'FAILURE'])
  })
})

test.each([
  ['imagine', {}, 'prompt_is_required'],
  ['describe', { base64: 7 }, 'base64_is_required'],
  ['blend', { base64Array: ['one'] }, 'base64_array_is_required'],
  ['change', { taskId: 'x' }, 'action_is_required'],
  ['change', { taskId: 'x', action: 'UPSCALE' }, 'index_is_required'],
  ['change', { action: 'REROLL' }, 'task_id_is_required'],
  ['change', { action: '__proto__', taskId: 'x' }, 'unknown_action:__proto__'],
  ['simple-change', { content: 'x Q1' }, 'content_parse_failed'],
  ['action', { taskId: 'x' }, 'custom_id_is_required'],
  ['action', { taskId: 'x', customId: 'MJ::BOOKMARK::1' }, 'unknown_action:MJ::BOOKMARK::1'],
  ['modal', {}, 'task_id_is_required'],
])('%s %p is refused: %s', async (kind, body, description) => {
  const before = upstream.requests.length
  const refused = await house.call('POST', `/mj/submit/${kind}`, body)
  expect([refused.status, refused.json]).toEqual([400, { description, type: 'upstream_error', code: 4 }])
  expect(upstream.requests.length).toBe(before)
})
