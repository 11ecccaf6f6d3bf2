import { type BulkWrite, type Cell, integer, text } from '../store/batch/bulk.ts'
import type { LogRow } from './moves.ts'

const keyColumns = [integer('hour'), integer('user_id'), integer('token_id'), text('labels')]
const columns = [
  ...keyColumns,
  integer('requests'),
  integer('errors'),
  integer('quota'),
  integer('prompt_tokens'),
  integer('completion_tokens'),
  integer('cost'),
  integer('costed_quota'),
]

/**
 * The hourly sums of labelled calls. One row for all the labels of a call together: however many it has, its
 * settlement writes one row more, and who asks for one of them finds it in the text.
 */
export class LabelSums {
  readonly #sums = new Map<string, { readonly key: Cell[]; readonly sums: number[] }>()

  /** `add` as the sums of the hour have it. */
  add({ user_id, token_id }: LogRow, labels: string, hour: number, add: readonly number[]): void {
    const key: Cell[] = [hour, user_id, token_id, labels]
    const name = key.join('\0')
    const known = this.#sums.get(name)
    if (known) for (const [at, value] of add.entries()) known.sums[at] = (known.sums[at] ?? 0) + value
    else this.#sums.set(name, { key, sums: [...add] })
  }

  /** In one order everywhere, so that no two batches wait for each other. */
  write(): BulkWrite {
    const ordered = [...this.#sums].sort(([a], [b]) => (a < b ? -1 : 1))
    const rows = ordered.map(([, { key, sums }]): Cell[] => [...key, ...sums])
    return { kind: 'upsert-add', table: 'usage_labels_hourly', keys: keyColumns.length, columns, rows }
  }
}
