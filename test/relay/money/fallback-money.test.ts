import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rootClient } from '../../client.ts'
import { until } from '../../program.ts'
import { costAt, type FallbackHouse, openFallbackHouse, standIns } from '../routing/fallback-house.ts'
import { ask, chat, problemIn, readStream, requestIdOf } from '../ways.ts'

const { anthropic: CLAUDE, gemini: GEMINI } = standIns

let house: FallbackHouse
let key = ''

const models =
  'to-dear to-cheap dear-then-cheap poor fine auto auto-only tight scarce unseen credit by-call killed'
    .split(' ')
    .map(name => `down-${name}`)

beforeAll(async () => {
  house = await openFallbackHouse({
    fallbacks: {
      'down-to-dear': [CLAUDE.model],
      'down-to-cheap': [GEMINI.model],
      'down-dear-then-cheap': [CLAUDE.model, GEMINI.model],
      'down-poor': [CLAUDE.model],
      'down-fine': [CLAUDE.model],
      'down-auto': ['f-auto'],
      'down-auto-only': ['f-vip'],
      'down-tight': ['f-tight'],
      'down-scarce': [CLAUDE.model],
      'down-unseen': ['gpt-5-like'],
      'down-credit': [GEMINI.model],
      gone: ['f-by-call', GEMINI.model],
      'down-by-call': ['f-by-call', GEMINI.model],
      'down-killed': [CLAUDE.model],
    },
    priced: [...models, 'f-auto', 'f-vip', 'f-tight', 'gpt-5-like'],
    options: {
      ModelPrice: '{"f-by-call":1}',
      GroupRatio: '{"default":1,"vip":2.5,"tight":0.5}',
      UserUsableGroups: '{"default":"a","vip":"b","tight":"c"}',
      AutoGroups: '["default","vip","tight"]',
      GroupLimits: '{"tight":{"rpm":2}}',
    },
    async seed({ rig, channel }) {
      const userId = await rig.addUser()
      ;({ key } = await rig.addToken({ userId }))
      for (const model of models) await channel('down', [model], model === 'down-tight' ? tight : {})
      await channel('openai', ['f-auto'], { groups: ['default'] })
      await channel('gemini', ['f-auto'], { groups: ['vip'] })
      await channel('openai', ['f-vip'], { groups: ['vip'] })
      await channel('openai', ['f-tight'], tight)
      await channel('openai', ['gpt-5-like', 'f-by-call'])
    },
  })
})
afterAll(async () => expect(await house.close()).toEqual([]))

const tight = { groups: ['tight'] }

async function holdOf(requestId: string) {
  const row = await house.rig.store.db
    .selectFrom('holds')
    .select(['held', 'price', 'state'])
    .where('id', '=', requestId)
    .executeTakeFirst()
  return row && { ...row, price: JSON.parse(row.price) as Record<string, unknown> }
}

async function walletOf(quota: number) {
  const userId = await house.rig.addUser({ quota })
  return { userId, key: (await house.rig.addToken({ userId })).key }
}

const limited = { max_tokens: 100 }

describe('what is held', () => {
  const heldFor = async (model: string) =>
    (await holdOf((await house.call(model, { key, stream: true, more: limited })).requestId))?.held ?? 0

  test('is for the model that is asked; before another is, it is raised to what that may cost', async () => {
    house.down.next({})
    const own = await heldFor('down-fine')
    const dear = await heldFor(CLAUDE.model)
    const { requestId, row, charge } = await house.call('down-to-dear', { key, stream: true, more: limited })
    expect(own).toBeLessThan(dear)
    // The name of the model is part of the request's length.
    const raised = await holdOf(requestId)
    expect(raised?.held).toBeGreaterThanOrEqual(dear)
    expect(raised).toMatchObject({ state: 'settled', price: { model: CLAUDE.model, modelRatio: 5 } })
    expect([row.quota, charge]).toEqual([costAt(house, 'anthropic'), costAt(house, 'anthropic')])
    // What is held already is enough for a cheaper one.
    const cheap = await holdOf(
      (await house.call('down-to-cheap', { key, stream: true, more: limited })).requestId,
    )
    expect(cheap?.held).toBeGreaterThanOrEqual(own)
    expect(cheap?.held).toBeLessThan(dear)
    expect(cheap?.price).toMatchObject({ model: GEMINI.model, modelRatio: 0.5 })
  })
})

describe('with enough for a whole answer on credit', () => {
  const mostOf = async (model: string) => {
    if (model.startsWith('down')) house.down.next({})
    const { requestId } = await house.call(model, { key, stream: true, more: limited })
    return (await holdOf(requestId))?.held ?? 0
  }

  test('by the cheap one alone: what was held before is what it is paid from', async () => {
    const wallet = await walletOf((await mostOf('down-credit')) * 12)
    const before = await house.rig.balance(wallet.userId)
    const { status, charge } = await house.call('down-credit', { key: wallet.key, more: limited })
    expect([status, charge]).toEqual([200, costAt(house, 'gemini')])
    expect(await house.rig.balance(wallet.userId)).toBe(before - costAt(house, 'gemini'))
  })

  test('by both: of the first nothing stays under way', async () => {
    const wallet = await walletOf((await mostOf('down-credit')) * 24)
    for (let at = 0; at < 3; at++) {
      const { charge, requestId } = await house.call('down-credit', { key: wallet.key, more: limited })
      // Nothing was held, and all of it paid at once.
      expect((await holdOf(requestId))?.held).toBe(charge as number)
    }
  })
})

describe.each([50_000_000, 2_000])('with %p in the wallet', quota => {
  test.each([false, true])('it is charged once, and the rest is there again (streamed: %p)', async stream => {
    const wallet = await walletOf(quota)
    const asking = { key: wallet.key, stream, more: limited }
    const { status, charge } = await house.call('down-to-dear', asking)
    const dear = costAt(house, 'anthropic')
    expect([status, charge]).toEqual([200, dear])
    const second = await house.call('down-to-cheap', asking)
    expect([second.status, second.charge]).toEqual([200, costAt(house, 'gemini')])
    expect(await house.rig.balance(wallet.userId)).toBe(quota - dear - costAt(house, 'gemini'))
  })
})

describe('whoever cannot pay', () => {
  test.each([false, true])(
    'the dear one gets the next, and no bill for more (streamed: %p)',
    async stream => {
      // Enough for the model itself, and not for the input of the first that stands in.
      const wallet = await walletOf(60)
      const asked = house.at.anthropic.requests.length
      const { status, row, charge } = await house.call('down-dear-then-cheap', { key: wallet.key, stream })
      expect([status, row.model_name, charge]).toEqual([200, GEMINI.model, costAt(house, 'gemini')])
      expect(house.at.anthropic.requests.length).toBe(asked)
      expect(await house.rig.balance(wallet.userId)).toBe(60 - costAt(house, 'gemini'))
    },
  )

  test.each([false, true])('any of them is told of the model asked for (streamed: %p)', async stream => {
    const wallet = await walletOf(60)
    const { status, row, charge } = await house.call('down-poor', { key: wallet.key, stream })
    expect([status, row.type, row.model_name, charge]).toEqual([500, 5, 'down-poor', undefined])
    expect(await house.rig.balance(wallet.userId)).toBe(60)
  })

  test.each([
    ['gone', false],
    ['gone', true],
    ['down-by-call', false],
    ['down-by-call', true],
  ])('what has a price for the call gets the next: %s (streamed: %p)', async (model, stream) => {
    const asked = house.asked('openai', 'f-by-call')
    const wallet = await walletOf(100_000)
    const { status, row, charge } = await house.call(model, { key: wallet.key, stream, more: limited })
    expect([status, row.model_name, charge]).toEqual([200, GEMINI.model, costAt(house, 'gemini')])
    expect(await house.rig.balance(wallet.userId)).toBe(100_000 - costAt(house, 'gemini'))
    expect(house.asked('openai', 'f-by-call')).toBe(asked)
    const rich = await walletOf(3_000_000)
    const paid = await house.call(model, { key: rich.key, stream, more: limited })
    expect([paid.row.model_name, paid.charge]).toEqual(['f-by-call', 500_000])
  })

  test('the model asked for is refused, and nobody is asked', async () => {
    const wallet = await walletOf(3)
    const counts = () => [house.down, house.at.gemini].map(({ requests }) => requests.length)
    const before = counts()
    const { status, text } = await house.call('down-to-cheap', { key: wallet.key })
    expect([status, problemIn(chat, text)?.code]).toEqual([403, 'insufficient_user_quota'])
    expect(counts()).toEqual(before)
  })

  test('a whole answer of the dear one gets as much as there is money for', async () => {
    const wallet = await walletOf(700)
    const { status, row } = await house.call('down-to-dear', { key: wallet.key })
    expect([status, row.model_name]).toEqual([200, CLAUDE.model])
    const sent = house.at.anthropic.requests.at(-1)?.json as { max_tokens: number }
    // What is left after the input, at 20 for each token of output.
    expect(sent.max_tokens).toBeWithin(1, 36)
    expect(await house.rig.balance(wallet.userId)).toBe(700 - row.quota)
  })
})

describe('a model that thinks unseen', () => {
  test.each([
    [50_000_000, false],
    [50_000_000, true],
    [60_000, false],
    [60_000, true],
  ])('is held for as such when it stands in: with %p (streamed: %p)', async (quota, stream) => {
    const wallet = await walletOf(quota)
    const asking = { key: wallet.key, stream }
    const direct = await house.call('gpt-5-like', asking)
    const limitOf = () =>
      (house.at.openai.requests.at(-1)?.json as Record<string, unknown> | undefined)?.max_completion_tokens
    const own = { limit: limitOf(), held: (await holdOf(direct.requestId))?.held ?? 0 }
    const fallen = await house.call('down-unseen', asking)
    expect([fallen.status, fallen.row.model_name]).toEqual([200, 'gpt-5-like'])
    const { input = 0, output = 0 } = house.at.openai.served.at(-1)?.tally ?? {}
    expect(fallen.charge).toBe(input + output)
    expect(await house.rig.balance(wallet.userId)).toBe(quota - (direct.charge ?? 0) - input - output)
    expect(limitOf() === undefined).toBe(own.limit === undefined)
    if (own.limit !== undefined)
      expect((await holdOf(fallen.requestId))?.held).toBeGreaterThan(own.held * 0.9)
  })
})

test('many at once spend no more than there is', async () => {
  const wallet = await walletOf(4000)
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      const stream = at % 2 === 0
      const response = await ask(house.rig.url, chat, { key: wallet.key, model: 'down-scarce', stream })
      const { text } = await readStream(response)
      return {
        id: requestIdOf(response),
        isWhole: response.status === 200 && (!stream || chat.endMark.test(text)),
      }
    }),
  )
  const charges = await Promise.all(answers.map(({ id }) => house.rig.chargeOf(id)))
  const spent = charges.reduce<number>((sum, charge) => sum + (charge ?? 0), 0)
  expect(spent).toBeGreaterThan(0)
  expect(await house.rig.balance(wallet.userId)).toBe(4000 - spent)
  for (const [at, { isWhole }] of answers.entries()) if (isWhole) expect(charges[at]).toBeGreaterThan(0)
})

describe('in the group auto', () => {
  const tokenOfAuto = async () => {
    const userId = await house.rig.addUser()
    return (await house.rig.addToken({ userId, group: 'auto' })).key
  }
  const total = (vendor: 'openai' | 'gemini') => {
    const { input = 0, output = 0 } = house.at[vendor].served.at(-1)?.tally ?? {}
    return input + output
  }

  test.each([false, true])('the group that has what stands in is paid (streamed: %p)', async stream => {
    const key = await tokenOfAuto()
    const { row, charge } = await house.call('down-auto-only', { key, stream })
    expect([row.model_name, row.group, charge]).toEqual(['f-vip', 'vip', Math.round(total('openai') * 2.5)])
  })

  test('first all groups for the one, then for the next', async () => {
    const root = await rootClient(house.rig.url)
    await root.saveOption('RetryTimes', '1')
    house.at.openai.next(house.at.openai.failWith('server-error'))
    const { row, charge } = await house.call('down-auto', { key: await tokenOfAuto() })
    await root.saveOption('RetryTimes', '0')
    expect([row.model_name, row.group, charge]).toEqual(['f-auto', 'vip', Math.round(total('gemini') * 2.5)])
  })

  test('a group’s limit counts the call once', async () => {
    const key = await tokenOfAuto()
    // Two a minute: asked for twice in the group, each call would count for two.
    const rows = [await house.call('down-tight', { key }), await house.call('down-tight', { key })]
    expect(rows.map(({ status, row }) => [status, row.model_name, row.group])).toEqual([
      [200, 'f-tight', 'tight'],
      [200, 'f-tight', 'tight'],
    ])
    expect((await house.call('down-tight', { key })).status).toBe(429)
  })
})

test('killed while another model answers: paid for what it had said, at its price', async () => {
  const wallet = await walletOf(5_000_000)
  const { program } = house.rig
  house.at.anthropic.next({ reply: { text: 'word '.repeat(400) }, stallAfterFrames: 300 })
  const response = await ask(house.rig.url, chat, { key: wallet.key, model: 'down-killed', stream: true })
  const requestId = requestIdOf(response)
  const reading = readStream(response)
  const checkpointOf = async () =>
    house.rig.store.db
      .selectFrom('holds')
      .select(['checkpoint', 'held', 'price'])
      .where('id', '=', requestId)
      .executeTakeFirst()
  const { checkpoint, price } = await until(async () => {
    const hold = await checkpointOf()
    return hold && hold.checkpoint > 0 ? hold : undefined
  })
  expect(JSON.parse(price)).toMatchObject({ model: CLAUDE.model })
  // A word is a token at the least, and its output costs 20.
  expect(checkpoint % 20).toBe(0)
  for (const pid of program.workerPids()) process.kill(pid, 'SIGKILL')
  await reading
  const row = await house.rig.logOf(requestId)
  const last = await checkpointOf()
  expect(row).toMatchObject({ type: 2, model_name: CLAUDE.model, quota: last?.checkpoint })
  expect(await house.rig.chargeOf(requestId)).toBe(last?.checkpoint)
  expect(await house.rig.balance(wallet.userId)).toBe(5_000_000 - (last?.checkpoint ?? 0))
})
