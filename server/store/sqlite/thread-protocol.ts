import type { FileMarks } from './same-file.ts'

/** What a thread is for. */
export type ThreadRole = 'writer' | 'reader' | 'checkpoints'

/** What the event loop and an SQLite thread say to each other. */
export type ThreadRequest =
  /** `marks` are those of the files that others have open. */
  | { id: number; kind: 'open'; path: string; role: ThreadRole; marks?: FileMarks }
  | { id: number; kind: 'query'; sql: string; parameters: readonly unknown[] }
  /** The next rows of a query that had more than one answer carries. */
  | { id: number; kind: 'more' }
  /** A transaction: what the decision that this thread was made for reads and writes. */
  | { id: number; kind: 'decide'; argument: unknown }
  | { id: number; kind: 'close' }

export interface ThreadResult {
  rows: unknown[]
  changes: number
  lastId: number
  /** Of a decision, as JSON. */
  decided?: string
  /** There are more rows, for who asks for them. */
  more?: boolean
}

export type ThreadReply =
  | { id: number; ok: true; result: ThreadResult }
  | { id: number; ok: false; code: string; message: string }
