import { expect, test } from 'bun:test'
import type { RankingMeasure, RankingPeriod } from '../../../contract/ranking-choices.ts'
import { sampleApps } from '../../../test/sample-apps.ts'
import { engines } from '../../../test/services/databases.ts'
import type { App } from '../app.ts'
import { modelRankings } from './rankings.ts'

const { clock, openApp } = sampleApps()
const HOUR = 3600
const DAY = 24 * HOUR
const thisHour = clock.now - (clock.now % HOUR)
const all = () => true

interface Use {
  readonly model: string
  /** Hours before this one. */
  readonly ago: number
  readonly users?: readonly number[]
  /** Of each user. */
  readonly calls?: number
  readonly tokens?: number
  readonly errors?: number
}

async function use(app: App, ...uses: Use[]): Promise<void> {
  const rows = uses.flatMap(({ model, ago, users = [1, 2, 3], calls = 20, tokens = 100, errors = 0 }) =>
    users.map(user_id => ({
      ...{ hour: thisHour - ago * HOUR, user_id, token_id: 0, channel_id: 1, model_name: model, group: 'g' },
      ...{ requests: calls + errors, errors, quota: 7, prompt_tokens: tokens, completion_tokens: 0 },
    })),
  )
  await app.store.db.insertInto('usage_hourly').values(rows).execute()
}

test.each(engines)(
  'ranks models and vendors by their share, against the time before ($name)',
  async engine => {
    const app = await openApp(await engine.freshUrl())
    await use(
      app,
      { model: 'gpt-4o', ago: 1, calls: 20, tokens: 600 },
      { model: 'claude-sonnet-4', ago: 24, calls: 40, tokens: 200 },
      { model: 'gpt-4o-mini', ago: 5, calls: 20, tokens: 100 },
      { model: 'house-model', ago: 5, calls: 20, tokens: 100 },
      // The day before it was the other way round; one was not there.
      { model: 'gpt-4o', ago: 25, calls: 20, tokens: 100 },
      { model: 'claude-sonnet-4', ago: 48, calls: 60, tokens: 300 },
      { model: 'house-model', ago: 30, calls: 20, tokens: 100 },
      // What is not over yet, what is older, and what is no model.
      { model: 'o3', ago: 0, calls: 900, tokens: 900_000 },
      { model: 'o3', ago: 49, calls: 900, tokens: 900_000 },
      { model: 'mcp/files/read', ago: 2, calls: 900 },
    )
    const rank = modelRankings(app.store.db, app.now)
    expect(await rank('day', 'tokens', all)).toEqual({
      ...{ period: 'day', by: 'tokens', from: thisHour - DAY, to: thisHour },
      models: [
        {
          ...{ model_name: 'gpt-4o', owner_by: 'OpenAI' },
          ...{ rank: 1, share: 0.6, rank_before: 2, share_before: 0.2 },
        },
        {
          ...{ model_name: 'claude-sonnet-4', owner_by: 'Anthropic' },
          ...{ rank: 2, share: 0.2, rank_before: 1, share_before: 0.6 },
        },
        {
          ...{ model_name: 'gpt-4o-mini', owner_by: 'OpenAI' },
          ...{ rank: 3, share: 0.1, rank_before: null, share_before: null },
        },
        {
          ...{ model_name: 'house-model', owner_by: '' },
          ...{ rank: 4, share: 0.1, rank_before: 3, share_before: 0.2 },
        },
      ],
      vendors: [
        { vendor: 'OpenAI', rank: 1, share: 0.7, rank_before: 2, share_before: 0.2 },
        { vendor: 'Anthropic', rank: 2, share: 0.2, rank_before: 1, share_before: 0.6 },
      ],
    })
    const byCalls = await rank('day', 'calls', all)
    expect(byCalls.models.map(({ model_name, share }) => [model_name, share])).toEqual([
      ['claude-sonnet-4', 0.4],
      ['gpt-4o', 0.2],
      ['gpt-4o-mini', 0.2],
      ['house-model', 0.2],
    ])
    // A week has it all, the older ones too; the week before had nothing.
    const { models } = await rank('week', 'calls', all)
    expect(models[0]).toMatchObject({ model_name: 'o3', rank: 1, rank_before: null, share_before: null })
    expect(models.every(({ rank_before }) => rank_before === null)).toBe(true)
  },
)

test.each(engines)(
  'tells nothing of what few have used, and nobody is told apart by it ($name)',
  async engine => {
    const app = await openApp(await engine.freshUrl())
    await use(
      app,
      { model: 'known', ago: 10, calls: 20, tokens: 100 },
      // Two users on every day, and still two altogether.
      { model: 'of-two', ago: 10, users: [4, 9], calls: 500, tokens: 100 },
      { model: 'of-two', ago: 40, users: [9, 4], calls: 500, tokens: 100 },
      { model: 'rare', ago: 10, calls: 16, tokens: 100 },
      { model: 'failing', ago: 10, calls: 0, errors: 500, tokens: 0 },
      // One on each day, and so three.
      { model: 'of-three', ago: 10, users: [5], calls: 20, tokens: 100 },
      { model: 'of-three', ago: 40, users: [1], calls: 20, tokens: 100 },
      { model: 'of-three', ago: 90, users: [3], calls: 20, tokens: 100 },
    )
    const rank = modelRankings(app.store.db, app.now)
    const shares = async (period: RankingPeriod, by: RankingMeasure) =>
      (await rank(period, by, all)).models.map(({ model_name, share }) => [model_name, share])
    // Their shares are of everything, so what is left out is not made up for.
    expect(await shares('week', 'tokens')).toEqual([
      ['known', 0.231],
      ['of-three', 0.231],
    ])
    expect(await shares('day', 'tokens')).toEqual([['known', 0.333]])
    expect(JSON.stringify(await rank('month', 'calls', all))).not.toMatch(/quota|user|of-two|rare|failing/)
  },
)

test('is counted once for all who ask, whatever is used meanwhile', async () => {
  const [sqlite] = engines
  const app = await openApp(await (sqlite?.freshUrl() ?? ''))
  await use(app, { model: 'known', ago: 1 })
  const rank = modelRankings(app.store.db, app.now)
  const [one, other] = await Promise.all([rank('month', 'tokens', all), rank('month', 'tokens', all)])
  await use(app, { model: 'later', ago: 1 })
  expect(one.models.map(({ model_name }) => model_name)).toEqual(['known'])
  expect(other).toEqual(one)
  expect(await rank('month', 'tokens', all)).toEqual(one)
  expect((await modelRankings(app.store.db, app.now)('month', 'tokens', all)).models).toHaveLength(2)
})

test('has no place for a model that is not told of, nor for its vendor', async () => {
  const [sqlite] = engines
  const app = await openApp(await (sqlite?.freshUrl() ?? ''))
  await use(
    app,
    { model: 'claude-for-a-customer', ago: 1, tokens: 600 },
    { model: 'gpt-4o', ago: 1, tokens: 300 },
    { model: 'house-model', ago: 1, tokens: 100 },
  )
  const rank = modelRankings(app.store.db, app.now)
  const { models, vendors } = await rank('day', 'tokens', model => model !== 'claude-for-a-customer')
  expect(models).toMatchObject([
    { model_name: 'gpt-4o', rank: 1, share: 0.75 },
    { model_name: 'house-model', rank: 2, share: 0.25 },
  ])
  expect(vendors).toMatchObject([{ vendor: 'OpenAI', rank: 1, share: 0.75 }])
})
