import { dialects } from '../../dialects/index.ts'
import { parseObject } from '../../dialects/json.ts'
import { readChunkProblem } from '../../dialects/openai-chat/read-problem.ts'
import type { Problem } from '../../dialects/spec.ts'
import type { StreamWatcher, Verdict } from '../../dialects/watching.ts'
import { FrameCount } from '../counting/frame-count.ts'
import { PassConveyor } from '../stream/pass-conveyor.ts'
import type { Flow } from './flow.ts'
import { completes, failsOne, noteEvent, nothingSeen, type Seen } from './seen.ts'

const dialect = dialects['openai-chat']

/** Server-sent events of pictures, speech or a transcript, as they come. */
export class EventsFlow extends PassConveyor implements Flow {
  readonly seen: Seen
  readonly keepAlive = dialect.keepAlive

  /** `expected` is how many events complete the answer. */
  constructor(expected: number) {
    const seen = nothingSeen()
    super({ ...dialect, createWatcher: () => new EventWatcher(seen, expected) }, false, countNothing())
    this.seen = seen
  }
}

class EventWatcher implements StreamWatcher {
  readonly usage = undefined
  readonly #seen: Seen
  readonly #expected: number
  #completed = 0
  #problem: Problem | undefined

  constructor(seen: Seen, expected: number) {
    this.#seen = seen
    this.#expected = expected
  }

  get problem(): Problem | undefined {
    return this.#problem
  }

  get complete(): boolean {
    return this.#completed > 0 && this.#problem === undefined
  }

  mayMatter(): boolean {
    return true
  }

  look(event: string, data: string): Verdict {
    const read = parseObject(data)
    if (!read) return 'pass'
    if (!failsOne(read)) this.#problem ??= readChunkProblem(event, read)
    if (this.#problem) return 'drop'
    noteEvent(this.#seen, read)
    if (completes(read)) this.#completed++
    // A series is completed once, however many it was to be.
    const expected = this.#seen.isSeries ? 1 : this.#expected
    return this.#completed >= expected ? 'hold' : 'pass'
  }
}

/** Tokens are not what these are counted by. */
function countNothing(): FrameCount {
  const count = new FrameCount({ count: async () => 0, forget: () => {} })
  count.discard()
  return count
}
