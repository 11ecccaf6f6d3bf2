/** What a thread is for. */
export type ThreadRole = 'writer' | 'reader' | 'checkpoints'

/** What the event loop and an SQLite thread say to each other. */
export type ThreadRequest =
  | { id: number; kind: 'open'; path: string; role: ThreadRole }
  | { id: number; kind: 'query'; sql: string; parameters: readonly unknown[] }
  /** Several statements, each run once for every list of parameters, answered at once. */
  | { id: number; kind: 'script'; steps: readonly ScriptStep[] }
  | { id: number; kind: 'close' }

export interface ScriptStep {
  readonly sql: string
  readonly runs: readonly (readonly unknown[])[]
}

export interface ThreadResult {
  /** Of a script: one list of rows for each step. */
  rows: unknown[]
  changes: number
  lastId: number
}

export type ThreadReply =
  | { id: number; ok: true; result: ThreadResult }
  | { id: number; ok: false; code: string; message: string }
