import { type Insertable, sql } from 'kysely'
import { logTypes } from '../../../contract/log-types.ts'
import { markChanged } from '../../ledger/changed-days.ts'
import type { ForeignRow } from '../../store/foreign-database.ts'
import { createLogMonth } from '../../store/log-partitions.ts'
import type { Logs } from '../../store/log-schema.ts'
import type { Family } from './family.ts'
import type { ImportRun } from './import-run.ts'
import { inPortions } from './portions.ts'
import { clippedOf, flagOf, integerOf, textOf } from './read-row.ts'

const DAY = 86_400

/** The log, whose calls count in the statistics as those made here do. */
export class LogImport {
  readonly #run: ImportRun
  readonly #family: Family
  /** Days that have rows, as seconds since 1970 of their beginning. */
  readonly #days = new Set<number>()
  readonly #months = new Set<string>()

  constructor(run: ImportRun, family: Family) {
    this.#run = run
    this.#family = family
  }

  async take(rows: readonly ForeignRow[]): Promise<void> {
    const { transaction, report, now } = this.#run
    const came = rows
      .map(row => readLog(row, this.#family))
      .filter(({ created_at }) => created_at > 0 && created_at < now + DAY)
    report.tally(
      '{log row is|log rows are} left out, for the time that {it has|they have}',
      rows.length - came.length,
    )
    if (came.length === 0) return
    for (const { created_at } of came) await this.#noteDay(created_at - (created_at % DAY))
    for (const some of inPortions(came)) await transaction.insertInto('logs').values(some).execute()
    report.add('log rows', came.length)
  }

  /** By the day, so that no single statement takes long, however many rows there are. */
  async sumUp(): Promise<void> {
    const { store, transaction } = this.#run
    const group = sql.ref('group')
    for (const day of this.#days) {
      await sql`
        insert into usage_hourly (hour, user_id, token_id, channel_id, model_name, ${group},
          requests, errors, quota, prompt_tokens, completion_tokens)
        select created_at - (created_at % 3600), user_id, token_id, channel_id, model_name, ${group},
          count(*), sum(case when type = ${logTypes.consumption} then 0 else 1 end),
          sum(quota), sum(prompt_tokens), sum(completion_tokens)
        from logs where created_at >= ${day} and created_at < ${day + DAY} and request_id <> ''
        group by created_at - (created_at % 3600), user_id, token_id, channel_id, model_name, ${group}
      `.execute(transaction)
    }
    // After the sums and in the order in which calls that are settled late do so: neither then waits for the other for
    // ever, and what was read from elsewhere for so long could not be begun again.
    for (const day of [...this.#days].sort((a, b) => a - b)) await markChanged(transaction, store.engine, day)
  }

  async #noteDay(day: number): Promise<void> {
    if (this.#days.has(day)) return
    this.#days.add(day)
    const { store, transaction } = this.#run
    const month = new Date(day * 1000).toISOString().slice(0, 7)
    if (store.engine !== 'postgres' || this.#months.has(month)) return
    this.#months.add(month)
    await createLogMonth(transaction, new Date(day * 1000))
  }
}

function readLog(row: ForeignRow, family: Family): Insertable<Logs> {
  const type = typeOf(integerOf(row, 'type'), family)
  const isCall = type === logTypes.consumption || type === logTypes.error
  return {
    created_at: integerOf(row, 'created_at'),
    type,
    user_id: integerOf(row, 'user_id'),
    username: clippedOf(row, 100, 'username'),
    token_id: integerOf(row, 'token_id'),
    token_name: clippedOf(row, 100, 'token_name'),
    model_name: clippedOf(row, 255, 'model_name'),
    channel_id: integerOf(row, 'channel_id'),
    group: clippedOf(row, 64, 'group'),
    is_stream: Number(flagOf(row, 'is_stream')),
    use_time: Math.max(0, integerOf(row, 'use_time')),
    prompt_tokens: Math.max(0, integerOf(row, 'prompt_tokens')),
    completion_tokens: Math.max(0, integerOf(row, 'completion_tokens')),
    quota: Math.max(0, integerOf(row, 'quota')),
    // What is in the hourly sums has one; rows of the older tools have none.
    request_id: isCall ? `import-${integerOf(row, 'id')}` : '',
    content: textOf(row, 'content'),
    other: textOf(row, 'other'),
  }
}

/** In the first of the older tools a five is the test of a channel, which nobody paid for. */
function typeOf(type: number, family: Family): number {
  if (type < logTypes.topUp || type > logTypes.error) return logTypes.system
  return type === logTypes.error && family === 'one-api' ? logTypes.system : type
}
