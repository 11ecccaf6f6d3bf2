import { expect, test } from 'bun:test'
import type { LogRow } from './moves.ts'
import { rollUp } from './roll-up.ts'

const NOW = 7400

const row = (over: Partial<LogRow>): { row: LogRow; charge: number } => ({
  charge: 5,
  row: {
    created_at: 7300,
    type: 2,
    user_id: 1,
    username: '',
    token_id: 0,
    token_name: '',
    model_name: 'm',
    channel_id: 0,
    group: 'default',
    is_stream: 0,
    use_time: 0,
    prompt_tokens: 10,
    completion_tokens: 1,
    request_id: 'r',
    content: '',
    other: '',
    ...over,
  },
})

function write(rows: readonly Partial<LogRow>[]) {
  const [logs, hours, latencies] = rollUp(rows.map(row), NOW)
  const timed = (latencies?.rows ?? []).flatMap(cells => cells.slice(6).map(Number))
  return { logs, hours, latencies, timed: timed.reduce((sum, count) => sum + count, 0) }
}

test('a key is written once, however many rows it has, and every one of them is timed', () => {
  const { logs, hours, latencies, timed } = write(
    Array.from({ length: 300 }, (_, at) => ({ ms: 50 + at, frt: at % 2 ? 40 : undefined })),
  )
  expect([logs?.rows.length, hours?.rows.length, latencies?.rows.length]).toEqual([300, 1, 1])
  expect(hours?.rows[0]).toEqual([7200, 1, 0, 0, 'm', 'default', 300, 0, 1500, 3000, 300, 0, 0])
  expect(latencies?.rows[0]?.slice(0, 10)).toEqual([7200, 1, 0, 0, 'm', 'default', 50, 100, 150, 0])
  expect(timed).toBe(300 + 150)
})

test('what was charged at a known cost is summed apart, and nothing known is not a cost of nothing', () => {
  const { logs, hours } = write([{ cost: 3 }, { cost: 0 }, {}])
  expect(logs?.rows.map(cells => cells.at(-1))).toEqual([3, 0, null])
  expect(hours?.rows[0]?.slice(6)).toEqual([3, 0, 15, 30, 3, 3, 10])
})

test('of many keys only some are timed, and each has its turn', () => {
  const many = Array.from({ length: 160 }, (_, at) => ({ user_id: at + 1, ms: 150 }))
  const seen = new Set<unknown>()
  for (let round = 0; round < 10; round++) {
    const { hours, latencies, timed } = write(many)
    expect([hours?.rows.length, latencies?.rows.length, timed]).toEqual([160, 16, 16])
    for (const cells of latencies?.rows ?? []) seen.add(cells[1])
  }
  expect(seen.size).toBe(160)
})

test('failures, and rows that do not say how long they took, are not timed', () => {
  const { hours, latencies } = write([{ type: 5, ms: 100 }, {}])
  expect(hours?.rows[0]?.slice(6, 8)).toEqual([2, 1])
  expect(latencies?.rows).toEqual([])
})

test('a batch without labels writes nothing of them; of a labelled call one row, whatever it is labelled with', () => {
  expect(rollUp([row({})], NOW).map(({ table, columns }) => [table, columns.length])).toEqual([
    ['logs', 18],
    ['usage_hourly', 13],
    ['usage_latency_hourly', 30],
  ])
  const labels = 'env:prod,project:search,user:alice'
  const written = rollUp(
    [row({ labels }), row({}), row({ labels, type: 5, cost: 2 }), row({ labels: 'env:prod' })],
    NOW,
  )
  expect(written[0]?.rows.map(cells => cells.at(-1))).toEqual([labels, null, labels, 'env:prod'])
  expect(written[1]?.rows).toEqual([[7200, 1, 0, 0, 'm', 'default', 4, 1, 20, 40, 4, 2, 5]])
  expect(written[3]).toMatchObject({ kind: 'upsert-add', table: 'usage_labels_hourly', keys: 4 })
  expect(written[3]?.rows).toEqual([
    [7200, 1, 0, 'env:prod', 1, 0, 5, 10, 1, 0, 0],
    [7200, 1, 0, labels, 2, 1, 10, 20, 2, 2, 5],
  ])
})

test('what names a prompt is counted by its version, and of teams by token too', () => {
  const written = (prompt: LogRow['prompt']) =>
    rollUp(
      [row({ prompt, token_id: 3 }), row({ prompt, token_id: 4 }), row({ prompt, token_id: 4 })],
      NOW,
    ).slice(3)
  const [all, ...none] = written({ id: 7, version: 2 })
  expect([all?.table, all?.rows, none]).toEqual(['prompt_usage_daily', [[7, 2, 0, 3, 0, 15, 30, 3]], []])
  const [same, byToken] = written({ id: 7, version: 2, ofTeam: true })
  expect(same).toEqual(all as NonNullable<typeof all>)
  expect(byToken).toMatchObject({ kind: 'upsert-add', table: 'prompt_usage_by_token', keys: 4 })
  expect(byToken?.rows).toEqual([
    [7, 3, 2, 0, 1, 0, 5],
    [7, 4, 2, 0, 2, 0, 10],
  ])
})

test('who comes after its hour is over says so of the day, once a batch; who comes in time writes nothing', () => {
  const day = 86_400
  const late = (times: readonly number[], now: number) =>
    rollUp(
      times.map(created_at => row({ created_at })),
      now,
    )
      .slice(3)
      .map(({ kind, table, rows }) => ({ kind, table, rows }))
  const inTime = [day + 3599, day + 7190]
  expect(late(inTime, day + 7200)).toEqual([{ kind: 'upsert-add', table: 'changed_days', rows: [[day, 1]] }])
  expect(late(inTime.slice(1), day + 7259)).toEqual([])
  expect(late([2 * day + 5, day + 5, 5, 10], 3 * day)[0]?.rows).toEqual([
    [0, 1],
    [day, 1],
    [2 * day, 1],
  ])
})

test('of what asked several models each has a row and a sum of its own, and they share all that was charged', () => {
  const model = (model_name: string, quota: number, cost?: number) => ({
    ...{ model_name, quota, cost, prompt_tokens: quota * 10, completion_tokens: quota, other: model_name },
  })
  const share = (charge: number, models: readonly ReturnType<typeof model>[]) => {
    const [logs, hours] = rollUp([{ row: row({ models, labels: 'a' }).row, charge }], NOW)
    // The model, its tokens and what it was charged; what it cost.
    const rows = logs?.rows.map(cells => [cells[6], cells[11], cells[13], cells[17]])
    expect(hours?.rows.map(cells => [cells[4], cells[6], cells[8]])).toEqual(
      (rows ?? []).map(([name, , quota]) => [name, 1, quota] as const).sort() as never,
    )
    return rows
  }
  const models = [model('b', 5, 2), model('a', 0, 0), model('c', 4)]
  expect(share(9, models)).toEqual([
    ['b', 50, 5, 2],
    ['a', 0, 0, 0],
    ['c', 40, 4, null],
  ])
  // What there was did not reach.
  expect(share(7, models)?.map(cells => cells[2])).toEqual([3, 0, 4])
  expect(share(0, models)?.map(cells => cells[2])).toEqual([0, 0, 0])
  expect(share(3, [model('b', 0), model('c', 0)])?.map(cells => cells[2])).toEqual([0, 3])
})
