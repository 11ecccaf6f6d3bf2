import type { JsonObject } from '../../dialects/json.ts'
import type { Turn } from './run-turn.ts'
import type { Steer } from './steering.ts'

/** A turn that waits, and what it cost to keep it. */
export interface Waiting {
  readonly message: JsonObject
  readonly length: number
  /** Input that was added to the response before, and is said with this. */
  readonly steers: readonly Steer[]
  /** Nobody has sent it: it is there for what was added. */
  readonly isSuccessor: boolean
}

/** Turns that come one after the other: all of them, or those of one `stream_id`. */
export class Lane {
  readonly streamId: string | undefined
  readonly waiting: Waiting[] = []
  running: Turn | undefined
  /** What was added to the response that is being made. */
  added: Steer[] = []

  constructor(streamId: string | undefined) {
    this.streamId = streamId
  }
}
