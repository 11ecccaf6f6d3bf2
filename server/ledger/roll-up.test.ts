import { expect, test } from 'bun:test'
import type { LogRow } from './moves.ts'
import { rollUp } from './roll-up.ts'

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
  const [logs, hours, latencies] = rollUp(rows.map(row))
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
  expect(rollUp([row({})]).map(({ table, columns }) => [table, columns.length])).toEqual([
    ['logs', 18],
    ['usage_hourly', 13],
    ['usage_latency_hourly', 30],
  ])
  const labels = 'env:prod,project:search,user:alice'
  const written = rollUp([
    row({ labels }),
    row({}),
    row({ labels, type: 5, cost: 2 }),
    row({ labels: 'env:prod' }),
  ])
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
    rollUp([row({ prompt, token_id: 3 }), row({ prompt, token_id: 4 }), row({ prompt, token_id: 4 })]).slice(
      3,
    )
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
