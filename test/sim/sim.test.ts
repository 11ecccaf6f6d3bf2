import { describe, expect, test } from 'bun:test'
import type { Row, RunBatch } from '../../server/store/batch/batch.ts'
import type { BulkRead } from '../../server/store/batch/bulk.ts'
import type { Mistakes } from './run-seed.ts'
import { runSeeds } from './run-seeds.ts'

const SEEDS = 1000
const TIME = 300_000

test(
  `${SEEDS} seeds: whatever breaks, the books are right`,
  async () => {
    const { failures, summary } = await runSeeds(1, SEEDS)
    console.log(summary)
    expect(failures).toEqual([])
  },
  TIME,
)

test(
  'a seed is one history',
  async () => {
    const history = async (seed: number): Promise<string[]> => {
      const lines: string[] = []
      await runSeeds(seed, 1, { trace: line => lines.push(line) })
      return lines
    }
    for (const seed of [3, 77, 2024]) {
      const lines = await history(seed)
      expect(lines.length).toBeGreaterThan(10)
      expect(await history(seed)).toEqual(lines)
    }
  },
  TIME,
)

/** Shows the ledger other rows than there are. */
function misread(table: BulkRead['table'], change: (row: Row) => Row): (batch: RunBatch) => RunBatch {
  return batch => (decision, argument) => {
    const isRead = decision.reads(argument()).map(read => read.table === table)
    const decide: typeof decision.decide = (found, latest) =>
      decision.decide(
        found.map((rows, at) => (isRead[at] ? rows.map(change) : rows)),
        latest,
      )
    return batch({ ...decision, decide }, argument)
  }
}

/** Says that it is done when the commit is only on its way. */
function answerEarly(batch: RunBatch): RunBatch {
  return (decision, argument) =>
    new Promise((resolve, reject) => {
      const decide: typeof decision.decide = (found, latest) => {
        const decided = decision.decide(found, latest)
        resolve(decided.result)
        return decided
      }
      batch({ ...decision, decide }, argument).catch(reject)
    })
}

/** Leaves out what it was to write to a table. */
function forget(table: BulkRead['table']): (batch: RunBatch) => RunBatch {
  return batch => (decision, argument) => {
    const decide: typeof decision.decide = (found, latest) => {
      const { writes, result } = decision.decide(found, latest)
      return { writes: writes.filter(write => write.table !== table), result }
    }
    return batch({ ...decision, decide }, argument)
  }
}

/** Writes holds without what they are for. */
function forgetLabels(batch: RunBatch): RunBatch {
  return (decision, argument) => {
    const decide: typeof decision.decide = (found, latest) => {
      const { writes, result } = decision.decide(found, latest)
      const without = writes.map(write => {
        const at = write.table === 'holds' ? write.columns.findIndex(({ name }) => name === 'labels') : -1
        return at < 0 ? write : { ...write, rows: write.rows.map(cells => cells.with(at, null)) }
      })
      return { writes: without, result }
    }
    return batch({ ...decision, decide }, argument)
  }
}

const mistakes: Record<string, Mistakes> = {
  'a settlement that does not look whether the hold is open': {
    corrupt: misread('holds', row => ({ ...row, state: 'open' })),
  },
  'a hold that does not look at the wallet': {
    corrupt: misread('users', row => ({ ...row, quota: 1_000_000 })),
  },
  'a hold that does not look at the budget': {
    corrupt: misread('tokens', row => ({ ...row, remain_quota: 1_000_000 })),
  },
  'a hold that does not look at the limits of spending': {
    corrupt: misread('spend_limits', row => ({ ...row, amount: 1_000_000 })),
  },
  'a call whose window is not noted': { corrupt: misread('holds', row => ({ ...row, limits: null })) },
  'a settlement that limits do not hear of': { corrupt: forget('spend_limits') },
  'a checkpoint that is not believed': { corrupt: misread('holds', row => ({ ...row, checkpoint: 0 })) },
  'a settlement without its entry': { corrupt: forget('ledger_entries') },
  'a settlement without its hour': { corrupt: forget('usage_hourly') },
  'a settlement that its labels do not hear of': { corrupt: forget('usage_labels_hourly') },
  'a hold that does not say what it is for': { corrupt: forgetLabels },
  'an answer before the commit': { corrupt: answerEarly },
  'rows that are not locked': { noLocks: true },
  'a journal that says done before it is on disk': { lyingDisk: true },
}

describe('a deliberate mistake is found', () => {
  test.each(Object.entries(mistakes))(
    '%s',
    async (_name, mistake) => {
      const { failures } = await runSeeds(1, SEEDS, { ...mistake, enough: 1 })
      expect(failures).toHaveLength(1)
    },
    TIME,
  )
})
