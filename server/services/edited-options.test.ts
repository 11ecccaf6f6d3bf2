import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { sampleApps } from '../../test/sample-apps.ts'
import { engines } from '../../test/services/databases.ts'
import { AppError } from '../errors.ts'
import type { App } from './app.ts'
import { verifyRecords } from './audit-log.ts'
import type { Caller } from './call.ts'
import { optionHandlers } from './options.ts'

setDefaultTimeout(600_000)
const { openApp } = sampleApps()

const caller: Caller = { id: 1, username: 'root', role: 100, status: 1, group: 'default', via: 'session' }
const session = { token: undefined, set: () => {}, clear: () => {} }
const from = { params: {}, language: 'en', address: '203.0.113.5', userAgent: '', session, caller } as const
const rest = { ...from, query: undefined, browser: session, authorization: null, signature: null }

type Handlers = ReturnType<typeof optionHandlers>

async function save(handlers: Handlers, key: string, value: string, revision?: string): Promise<string> {
  const body = { key, value, ...(revision !== undefined && { revision }) }
  try {
    await handlers.saveOption({ ...rest, body })
    return 'saved'
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

async function shown(handlers: Handlers, key: string): Promise<{ value: string; revision: string }> {
  const { data } = await handlers.listOptions({ ...rest, body: undefined })
  const found = data.find(one => one.key === key)
  if (!found) throw new Error(`${key} is not shown`)
  return found
}

const inForce = ({ store }: App, key: string) =>
  store.db.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst()

describe.each(engines.map(engine => [engine.name, engine] as const))('on %s', (_name, engine) => {
  test('of edits that began from the same, at two nodes at once, one is saved', async () => {
    const url = await engine.freshUrl()
    const apps = [await openApp(url), await openApp(url)] as const
    const nodes = [optionHandlers(apps[0]), optionHandlers(apps[1])] as const
    // First where nothing is stored yet, then where something is.
    for (const round of ['unstored', 'stored']) {
      const { revision } = await shown(nodes[0], 'ModelRatio')
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          save(nodes[at % 2 ? 0 : 1], 'ModelRatio', JSON.stringify({ [`${round}-${at}`]: at + 1 }), revision),
        ),
      )
      expect(outcomes.toSorted()).toEqual([...Array(7).fill('option.edited'), 'saved'])
      const winner = outcomes.indexOf('saved')
      const { value = '' } = (await inForce(apps[0], 'ModelRatio')) ?? {}
      expect(JSON.parse(value)).toEqual({ [`${round}-${winner}`]: winner + 1 })
    }
    expect(await verifyRecords(apps[0])).toMatchObject({ intact: true, records: 2 })
  })

  test('what another node has saved is shown at once, with its revision', async () => {
    const url = await engine.freshUrl()
    const nodes = [optionHandlers(await openApp(url)), optionHandlers(await openApp(url))] as const
    const before = await shown(nodes[1], 'SystemName')
    expect(await save(nodes[0], 'SystemName', 'One', before.revision)).toBe('saved')
    const now = await shown(nodes[1], 'SystemName')
    expect(now).toMatchObject({ value: 'One' })
    expect(await save(nodes[1], 'SystemName', 'Two', before.revision)).toBe('option.edited')
    expect(await save(nodes[1], 'SystemName', 'Two', now.revision)).toBe('saved')
  })
})

describe('an edit', () => {
  const [engine] = engines
  const open = async () => {
    const app = await openApp((await engine?.freshUrl()) ?? '')
    return { app, handlers: optionHandlers(app) }
  }

  test('of one map of prices does not stand in the way of one’s own edit of the next', async () => {
    const { handlers } = await open()
    const keys = ['ModelPrice', 'ModelRatio', 'CompletionRatio']
    const before = await Promise.all(keys.map(key => shown(handlers, key)))
    for (const [at, key] of keys.entries())
      expect(await save(handlers, key, '{"gpt-4o":3}', before[at]?.revision)).toBe('saved')
  })

  test('without a revision is saved whatever was there', async () => {
    const { handlers } = await open()
    expect(await save(handlers, 'ModelRatio', '{"a":1}')).toBe('saved')
    expect(await save(handlers, 'ModelRatio', '{"b":2}')).toBe('saved')
  })

  test('that is sent again because its answer was lost is no clash', async () => {
    const { handlers } = await open()
    const { revision } = await shown(handlers, 'SystemName')
    for (const _ of ['first', 'again'])
      expect(await save(handlers, 'SystemName', 'Mine', revision)).toBe('saved')
  })

  test('of what was reset meanwhile is refused, and nothing is stored', async () => {
    const { app, handlers } = await open()
    expect(await save(handlers, 'ModelRatio', '{"a":1}')).toBe('saved')
    const { revision } = await shown(handlers, 'ModelRatio')
    await handlers.resetModelRatio({ ...rest, body: undefined })
    expect(await save(handlers, 'ModelRatio', '{"b":2}', revision)).toBe('option.edited')
    expect(await inForce(app, 'ModelRatio')).toBeUndefined()
  })
})
