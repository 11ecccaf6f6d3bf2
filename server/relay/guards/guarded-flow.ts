import type { EventsFlow } from '../plain/events-flow.ts'
import type { Flow } from '../plain/flow.ts'
import type { Seen } from '../plain/seen.ts'
import { GuardConveyor } from './guard-conveyor.ts'
import type { GuardedStream } from './guarded-stream.ts'

/** The events of a transcript, looked at on their way to the client. */
export class GuardedFlow extends GuardConveyor implements Flow {
  readonly seen: Seen
  readonly keepAlive: string | undefined

  constructor(flow: EventsFlow, stream: GuardedStream) {
    super(flow, stream)
    this.seen = flow.seen
    this.keepAlive = flow.keepAlive
  }
}
