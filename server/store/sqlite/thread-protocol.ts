/** What the event loop and an SQLite thread say to each other. */
export type ThreadRequest =
  | { id: number; kind: 'open'; path: string; writer: boolean }
  | { id: number; kind: 'query'; sql: string; parameters: readonly unknown[] }
  | { id: number; kind: 'close' }

export interface ThreadResult {
  rows: unknown[]
  changes: number
  lastId: number
}

export type ThreadReply =
  | { id: number; ok: true; result: ThreadResult }
  | { id: number; ok: false; code: string; message: string }
