import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Responses } from 'openai/resources/responses/responses'
import { payWindows } from '../../server/relay/openai-kept/pay-windows.ts'
import { killAll, startProgram, until } from '../program.ts'
import { SECRET_KEY } from '../relay/rig.ts'
import { catchError } from '../sdk/sdk-errors.ts'
import { dropAll, engines } from '../services/databases.ts'
import { WRITTEN } from '../upstreams/openai/containers.ts'
import { FIRST, type KeptHouse, openKeptHouse } from './house.ts'

// Each 20 minutes of a container are paid once, whoever comes when they begin and whatever is killed.

/** Of a gigabyte for 20 minutes, at 30 dollars for a thousand. */
const SESSION = 15_000
const AT_ONCE = 8

let house: KeptHouse
beforeAll(async () => {
  house = await openKeptHouse()
})
afterAll(async () => {
  expect(await house.differences()).toEqual([])
  await house.close()
  await dropAll()
})

type Tools = Responses.ResponseCreateParams['tools']
type Way = 'create' | 'stream' | 'background'
const ways: readonly Way[] = ['create', 'stream', 'background']

const code = (container: string | { type: 'auto' }) => [{ type: 'code_interpreter' as const, container }]
const tokens = ({ usage }: Responses.Response): number =>
  (usage?.input_tokens ?? 0) + 3 * (usage?.output_tokens ?? 0)
/** As a client tells of it again. */
const ranIn = (container_id: string) => ({
  ...{ type: 'code_interpreter_call' as const, id: 'ci_1', status: 'completed' as const },
  ...{ code: 'print(1)', container_id, outputs: null },
})

async function run(
  client: KeptHouse['client'],
  tools: Tools,
  words: string | Pick<Responses.ResponseCreateParams, 'input' | 'conversation'> = 'Run code',
  way: Way = 'stream',
): Promise<Responses.Response> {
  const more = typeof words === 'string' ? { input: words } : words
  const asked = { model: FIRST, ...more, ...(tools && { tools }) }
  if (way === 'stream') return client.responses.stream(asked).finalResponse()
  let response = await client.responses.create({ ...asked, background: way === 'background' })
  while (response.status !== 'completed') response = await client.responses.retrieve(response.id)
  return response
}

/** What it took besides the tokens of what it made. */
async function fee(
  { balance }: KeptHouse,
  userId: number,
  work: () => Promise<readonly Responses.Response[]>,
): Promise<number> {
  const before = await balance(userId)
  const responses = await work()
  const spent = before - (await balance(userId))
  return spent - responses.reduce((sum, response) => sum + tokens(response), 0)
}

/** As if its paid time had passed, each time later than before; not so long ago that it is swept. */
async function overdue(id: string, { store } = house): Promise<void> {
  const paid_until = LATELY + ++times
  await store.db.updateTable('openai_containers').set({ paid_until }).where('id', '=', id).execute()
}
const LATELY = Math.floor(Date.now() / 1000) - 3600
let times = 0

/** Answers that begin before any of them ends. */
async function atOnce(
  { first }: KeptHouse,
  begin: readonly (() => Promise<Responses.Response>)[],
): Promise<readonly Responses.Response[]> {
  const end = Promise.withResolvers<void>()
  // The program may ask for something else meanwhile.
  const asked = () => first.requests.filter(({ path }) => path === '/v1/responses').length
  const before = asked()
  for (const _ of begin) first.next({ hold: { afterFrames: 1, until: end.promise } })
  const running = begin.map(one => one())
  await until(() => asked() === before + begin.length)
  end.resolve()
  return Promise.all(running)
}

test.each(engines)(
  'on $name: of many answers at once at two nodes, one pays for what comes next',
  async engine => {
    const DATABASE_URL = await engine.freshUrl()
    const there = await openKeptHouse({}, { DATABASE_URL })
    const other = await startProgram({ SECRET_KEY, DATABASE_URL })
    const { userId, key } = there.payer
    const { id } = await there.client.containers.create({ name: 'Shared', memory_limit: '4g' })
    const begin = Array.from({ length: AT_ONCE }, (_, at) => () => {
      return run(there.clientOf(key, at % 2 === 0 ? there.url : other.url), code(id))
    })
    for (let turn = 0; turn < 2; turn++) {
      await overdue(id, there)
      expect(await fee(there, userId, () => atOnce(there, begin))).toBe(4 * SESSION)
      expect(await fee(there, userId, () => atOnce(there, begin))).toBe(0)
    }
    await other.stop()
    expect(await there.differences()).toEqual([])
    await there.close()
  },
)

test('answers in the background that several nodes see the end of at once pay once', async () => {
  const { client, userId } = await house.newcomer()
  const { id } = await client.containers.create({ name: 'Later', memory_limit: '4g' })
  await overdue(id)
  const paid = await fee(house, userId, async () => {
    const asked = { model: FIRST, input: 'Run code', tools: code(id), background: true }
    const begun = await Promise.all(Array.from({ length: 3 }, () => client.responses.create(asked)))
    await house.poll(60, 3)
    const ended = begun.map(response =>
      until(async () => isOver(await client.responses.retrieve(response.id))),
    )
    return Promise.all(ended)
  })
  expect(paid).toBe(4 * SESSION)
})

const isOver = (response: Responses.Response) => (response.status === 'completed' ? response : undefined)

// It takes a while until a process counts as dead: these wait together.

test.concurrent.each(engines.filter(({ name }) => name !== 'sqlite'))(
  'on $name: who is killed between writing down that it pays and paying has paid',
  async engine => {
    const DATABASE_URL = await engine.freshUrl()
    const there = await openKeptHouse({}, { DATABASE_URL })
    const { store, first, payer, client } = there
    const { id } = await client.containers.create({ name: 'Killed', memory_limit: '4g' })
    await overdue(id, there)
    const before = await there.balance(payer.userId)
    const end = Promise.withResolvers<void>()
    const asked = first.requests.length
    first.next({ hold: { afterFrames: 1, until: end.promise } })
    const lost = run(client, code(id)).catch(() => 'lost')
    await until(() => first.requests.length > asked)
    const { id: requestId } = await until(() =>
      store.db.selectFrom('holds').select('id').where('state', '=', 'open').executeTakeFirst(),
    )
    await store.transaction(async transaction => {
      // Whoever settles waits for the token; for the wallet, who writes down what is paid would wait too.
      await transaction
        .selectFrom('tokens')
        .select('remain_quota')
        .where('user_id', '=', payer.userId)
        .forUpdate()
        .execute()
      end.resolve()
      await until(() =>
        store.db
          .selectFrom('openai_container_windows')
          .select('since')
          .where('request_id', '=', requestId)
          .executeTakeFirst(),
      )
      killAll(there.program)
    })
    expect(await lost).toBe('lost')
    const other = await startProgram({ SECRET_KEY, DATABASE_URL })
    expect(await there.differences()).toEqual([])
    const charged = (await there.chargeOf(requestId)) ?? 0
    expect(before - (await there.balance(payer.userId))).toBe(charged)
    expect(charged).toBeGreaterThan(4 * SESSION)
    const again = () => run(there.clientOf(payer.key, other.url), code(id)).then(one => [one])
    expect(await fee(there, payer.userId, again)).toBe(0)
    await other.stop()
    await there.close()
  },
)

test.concurrent('who is killed before that has paid nothing, and the next pays', async () => {
  const there = await openKeptHouse()
  const { first, payer, client } = there
  const { id } = await client.containers.create({ name: 'Killed', memory_limit: '4g' })
  await overdue(id, there)
  const before = await there.balance(payer.userId)
  const asked = first.requests.length
  first.next({ hold: { afterFrames: 1, until: new Promise(() => {}) } })
  const lost = run(client, code(id)).catch(() => 'lost')
  await until(() => first.requests.length > asked)
  await until(async () => (await there.balance(payer.userId)) < before)
  killAll(there.program)
  expect(await lost).toBe('lost')
  const DATABASE_URL = `sqlite:${join(there.program.dataDir, 'tollgate.db')}`
  const other = await startProgram({ SECRET_KEY, DATABASE_URL })
  expect(await there.differences()).toEqual([])
  expect(await there.balance(payer.userId)).toBe(before)
  const again = () => run(there.clientOf(payer.key, other.url), code(id)).then(one => [one])
  expect(await fee(there, payer.userId, again)).toBe(4 * SESSION)
  expect(await fee(there, payer.userId, again)).toBe(0)
  await other.stop()
  await there.close()
})

test('time whose payer was given everything back is not paid', async () => {
  const { client, userId } = await house.newcomer()
  const { id } = await client.containers.create({ name: 'Back', memory_limit: '4g' })
  await overdue(id)
  const { mark, paid_until: since } = await house.store.db
    .selectFrom('openai_containers')
    .select(['mark', 'paid_until'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await house.later(0, async parts => {
    const request = { id: 'given-back', userId, tokenId: 0 }
    await parts.ledger.hold(request, { most: 10, least: 10, price: '{}' })
    const due = { mark, since, gigabytes: 4 }
    const tool = { name: 'code_interpreter', atMost: undefined, certain: 1, settled: 0, due }
    const answer = { place: undefined, hosted: [tool], ran: [], costWith: () => 10 }
    const [paying] = await payWindows(parts, { requestId: request.id, userId, tokenId: 0, ...answer })
    expect(paying?.settled).toBe(4)
    // While it is not known what becomes of that, nobody else pays.
    expect(await fee(house, userId, async () => [await run(client, code(id))])).toBe(0)
    await parts.ledger.release(request)
  })
  expect(
    await fee(house, userId, () =>
      atOnce(
        house,
        Array(3).fill(() => run(client, code(id))),
      ),
    ),
  ).toBe(4 * SESSION)
  expect(await fee(house, userId, async () => [await run(client, code(id))])).toBe(0)
})

test.each(ways)(
  'one that the vendor goes on in by itself is paid as it is, not as was asked (%s)',
  async way => {
    const { client, userId } = await house.newcomer()
    const { id } = await client.containers.create({ name: 'Large', memory_limit: '16g' })
    // In the same account, where alone the vendor knows it.
    const conversation = (await client.conversations.create()).id
    const goOn = () =>
      fee(house, userId, async () => {
        const input = [ranIn(id), { role: 'user' as const, content: 'Run code' }]
        const response = await run(client, code({ type: 'auto' }), { input, conversation }, way)
        expect(response.output[0]).toMatchObject({ type: 'code_interpreter_call', container_id: id })
        return [response]
      })
    expect(await goOn()).toBe(0)
    await overdue(id)
    expect(await goOn()).toBe(16 * SESSION)
    expect(await goOn()).toBe(0)
    expect((await client.containers.retrieve(id)).name).toBe('Large')
  },
)

test('an answer that breaks off has paid for the container that it made, and its caller finds that', async () => {
  const { client, userId } = await house.newcomer()
  const before = await house.balance(userId)
  house.first.next({ frames: frames => frames.slice(0, -1) })
  const container = { type: 'auto' as const, memory_limit: '4g' as const }
  await catchError(run(client, [{ type: 'code_interpreter', container }]))
  const requestId = house.lastId()
  const [made] = (await client.containers.list()).data
  expect(made).toMatchObject({ status: 'running', memory_limit: '4g' })
  const { details, quota } = await house.logOf(requestId)
  expect(before - (await house.balance(userId))).toBe(quota)
  expect(details.tool_fees).toEqual([{ name: 'code_interpreter', count: 4, price: 30 }])
  const again = async () => [await run(client, code(made?.id ?? ''))]
  expect(await fee(house, userId, again)).toBe(0)
})

test('what was offered and not used is paid once too', async () => {
  const { client, userId } = await house.newcomer()
  const { id } = await client.containers.create({ name: 'Idle', memory_limit: '4g' })
  await overdue(id)
  const offer = () => fee(house, userId, async () => [await run(client, code(id), 'Hello')])
  expect([await offer(), await offer()]).toEqual([4 * SESSION, 0])
})

test.each(ways)('the shell’s is paid and kept as the code interpreter’s (%s)', async way => {
  const { client, userId } = await house.newcomer()
  let id = ''
  const shell = (environment: Responses.FunctionShellTool['environment']) =>
    fee(house, userId, async () => {
      const response = await run(client, [{ type: 'shell', environment }], 'Run commands', way)
      const [ran] = response.output
      const where = ran?.type === 'shell_call' ? ran.environment : undefined
      id = where?.type === 'container_reference' ? where.container_id : ''
      return [response]
    })
  expect(await shell({ type: 'container_auto', memory_limit: '4g' })).toBe(4 * SESSION)
  const made = id
  const [file] = (await client.containers.files.list(made)).data
  const content = await client.containers.files.content.retrieve(file?.id ?? '', { container_id: made })
  expect(await content.text()).toBe(WRITTEN)
  expect(await shell({ type: 'container_reference', container_id: made })).toBe(0)
  expect(id).toBe(made)
  await overdue(made)
  expect(await shell({ type: 'container_reference', container_id: made })).toBe(4 * SESSION)
  // The same container, by the other tool.
  expect(await fee(house, userId, async () => [await run(client, code(made))])).toBe(0)
})

test.each(ways)('two tools in one container pay for its time together (%s)', async way => {
  const { client, userId } = await house.newcomer()
  const { id: container_id } = await client.containers.create({ name: 'Both', memory_limit: '4g' })
  const environment = { type: 'container_reference' as const, container_id }
  const tools: Tools = [...code(container_id), { type: 'shell', environment }]
  const both = () => fee(house, userId, async () => [await run(client, tools, 'Run code', way)])
  expect(await both()).toBe(0)
  await overdue(container_id)
  expect([await both(), await both()]).toEqual([4 * SESSION, 0])
})

test.each(ways)('beside a container that is paid only the other is paid (%s)', async way => {
  const { client, userId } = await house.newcomer()
  const { id } = await client.containers.create({ name: 'Paid' })
  const environment = { type: 'container_auto' as const, memory_limit: '4g' as const }
  const tools: Tools = [...code(id), { type: 'shell', environment }]
  for (const words of ['Run code', 'Hello'])
    expect(await fee(house, userId, async () => [await run(client, tools, words, way)])).toBe(4 * SESSION)
})

test('a container that the vendor chose for two tools is paid once, and so is a tool that is offered twice', async () => {
  const { userId } = await house.newcomer()
  const tool = { name: 'code_interpreter', atMost: undefined, certain: 4 }
  const shell = { ...tool, isShell: true } as const
  const ranIn = (id: string, isShell = false) => ({ id, isShell })
  await house.later(0, async parts => {
    const channel = [...parts.channels.all()].find(({ models }) => models.has(FIRST))
    if (!channel) throw new Error('there is a channel')
    const place = { channel, key: 'sk-upstream-one-0123456789' }
    const pay = async (
      requestId: string,
      hosted: readonly (typeof tool)[],
      ran: ReturnType<typeof ranIn>[],
    ) => {
      const answer = { requestId, userId, tokenId: 0, place, hosted, ran, costWith: () => 0 }
      return (await payWindows(parts, answer)).map(({ settled }) => settled)
    }
    expect(await pay('both', [tool, shell], [ranIn('cntr_both'), ranIn('cntr_both', true)])).toEqual([4, 0])
    expect(await pay('apart', [tool, shell], [ranIn('cntr_1'), ranIn('cntr_2', true)])).toEqual([4, 4])
    // The other was made for nothing.
    expect(await pay('idle', [tool, shell], [ranIn('cntr_3')])).toEqual([4, 4])
    expect(await pay('twice', [tool, tool], [ranIn('cntr_4')])).toEqual([4, 0])
    const named = { ...tool, container: 'cntr_both', settled: 0 }
    expect(await pay('named', [named, shell], [ranIn('cntr_both', true), ranIn('cntr_5')])).toEqual([0, 0, 1])
  })
})
