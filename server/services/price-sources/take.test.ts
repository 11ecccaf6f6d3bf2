import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { ListedPrice } from '../../../contract/price-sources.ts'
import { sampleApps } from '../../../test/sample-apps.ts'
import { engines } from '../../../test/services/databases.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../app.ts'
import { verifyRecords } from '../audit-log.ts'
import type { Caller } from '../call.ts'
import { takePrices } from './take.ts'

setDefaultTimeout(600_000)
const { openApp } = sampleApps()

const caller: Caller = { id: 1, username: 'root', role: 100, status: 1, group: 'default', via: 'session' }
const session = { token: undefined, set: () => {}, clear: () => {} }
const from = { params: {}, language: 'en', address: '203.0.113.5', userAgent: '', session, caller } as const
const rest = { ...from, query: undefined, browser: session, authorization: null, signature: null }

function take(app: App, model: string, theirs: ListedPrice): Promise<string> {
  return takePrices(app, { ...rest, body: { models: [{ model, own: null, theirs }] } }).then(
    () => 'taken',
    error => (error instanceof AppError ? error.code : Promise.reject(error)),
  )
}

async function stored({ store }: App): Promise<Record<string, Record<string, number>>> {
  const rows = await store.db.selectFrom('options').select(['key', 'value']).execute()
  return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)]))
}

describe.each(engines.map(engine => [engine.name, engine] as const))('on %s', (_name, engine) => {
  test('of those who take prices at two nodes at once nobody undoes another’s', async () => {
    const url = await engine.freshUrl()
    const nodes = [await openApp(url), await openApp(url)] as const
    const both = await Promise.all([
      ...Array.from({ length: 6 }, (_, at) =>
        take(nodes[at % 2 ? 0 : 1], 'same', { model_ratio: at + 1, completion_ratio: at + 1 }),
      ),
      ...Array.from({ length: 6 }, (_, at) => take(nodes[at % 2 ? 0 : 1], `m${at}`, { model_ratio: at + 1 })),
    ])
    const ofSame = both.slice(0, 6)
    expect(ofSame.toSorted()).toEqual([...Array(5).fill('price-source.edited'), 'taken'])
    expect(both.slice(6)).toEqual(Array(6).fill('taken'))
    const { ModelRatio = {}, CompletionRatio = {} } = await stored(nodes[0])
    const winner = ofSame.indexOf('taken') + 1
    expect(ModelRatio).toEqual({ ...{ m0: 1, m1: 2, m2: 3, m3: 4, m4: 5, m5: 6 }, same: winner })
    expect(CompletionRatio).toEqual({ same: winner })
    expect(await verifyRecords(nodes[0])).toMatchObject({ intact: true, records: 8 })
  })
})
