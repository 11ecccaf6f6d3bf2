import type { LogList, LogView } from '../../../contract/logs.ts'

/** The newest call somebody made, and of how many: a test of a channel stands in the log too, but nobody made it. */
export function pickCalls({ items, total }: Pick<LogList, 'items' | 'total'>): {
  calls: number
  billed: LogView | undefined
} {
  const made = items.filter(({ token_id, quota }) => token_id > 0 || quota > 0)
  return { calls: total - items.length + made.length, billed: made[0] }
}
