import { dialects } from '../../dialects/index.ts'
import { parseObject } from '../../dialects/json.ts'
import { readChunkProblem } from '../../dialects/openai-chat/read-problem.ts'
import type { Problem } from '../../dialects/spec.ts'
import type { StreamWatcher, Verdict } from '../../dialects/watching.ts'
import { FrameCount } from '../counting/frame-count.ts'
import { PassConveyor } from '../stream/pass-conveyor.ts'
import type { Flow } from './flow.ts'
import { completes, failsOne, isSomething, noteEvent, noteSound, nothingSeen, type Seen } from './seen.ts'

const dialect = dialects['openai-chat']

/** Server-sent events of pictures, speech or a transcript, as they come. */
export class EventsFlow extends PassConveyor implements Flow {
  readonly seen: Seen
  readonly keepAlive = dialect.keepAlive

  /** `expected` is how many events complete the answer; `isSound`: what they bring is to be heard. */
  constructor(expected: number, isSound = false) {
    const seen = nothingSeen()
    const createWatcher = () => new EventWatcher(seen, expected, isSound)
    super({ ...dialect, createWatcher }, false, countNothing())
    this.seen = seen
  }
}

class EventWatcher implements StreamWatcher {
  readonly usage = undefined
  readonly #seen: Seen
  readonly #expected: number
  readonly #isSound: boolean
  #completed = 0
  /** Some servers tell the end by this word alone. */
  #isDone = false
  #problem: Problem | undefined

  constructor(seen: Seen, expected: number, isSound: boolean) {
    this.#seen = seen
    this.#expected = expected
    this.#isSound = isSound
  }

  get problem(): Problem | undefined {
    return this.#problem
  }

  get complete(): boolean {
    return (this.#completed > 0 || this.#isDone) && this.#problem === undefined
  }

  mayMatter(): boolean {
    return true
  }

  look(event: string, data: string): Verdict {
    if (data.startsWith('[DONE]')) return this.#noteDone()
    const read = parseObject(data)
    if (!read) return 'pass'
    if (!failsOne(read)) this.#problem ??= readChunkProblem(event, read)
    if (this.#problem) return 'drop'
    noteEvent(this.#seen, read)
    if (this.#isSound) noteSound(this.#seen, read)
    if (completes(read)) this.#completed++
    // A series is completed once, however many it was to be.
    const expected = this.#seen.isSeries ? 1 : this.#expected
    return this.#completed >= expected ? 'hold' : 'pass'
  }

  #noteDone(): Verdict {
    this.#isDone = this.#completed > 0 || isSomething(this.#seen)
    return this.#isDone ? 'hold' : 'drop'
  }
}

/** Tokens are not what these are counted by. */
function countNothing(): FrameCount {
  const count = new FrameCount({ count: async () => 0, forget: () => {} })
  count.discard()
  return count
}
