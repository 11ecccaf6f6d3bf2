import type { Problem } from '../../dialects/spec.ts'
import type { AppError } from '../../errors.ts'
import type { Conveyor, Piece } from '../stream/conveyor.ts'
import { ForwardingConveyor } from '../stream/forwarding-conveyor.ts'
import type { GuardedStream } from './guarded-stream.ts'

/** Another conveyor, with what it gives the client looked at on the way. */
export class GuardConveyor extends ForwardingConveyor {
  readonly #stream: GuardedStream
  /** What was judged at the end, and goes when the charge is on disk. */
  #last = ''
  #ended: boolean | undefined
  #tookAll = false

  constructor(inner: Conveyor, stream: GuardedStream) {
    super(inner)
    this.#stream = stream
  }

  take(chunk: Uint8Array): string | undefined {
    return this.#push(this.inner.take(chunk)) || undefined
  }

  /** Everything has been copied by then that goes on. */
  get isFree(): boolean {
    return this.inner.isFree === true
  }

  /** Before the charge, so that a rule can still end the answer. */
  override end(): boolean {
    if (this.#ended !== undefined) return this.#ended
    this.#ended = this.inner.end()
    if (this.#ended) {
      this.#tookAll = this.inner.held !== undefined
      this.#last += this.#push(this.inner.held ? this.inner.held() : this.inner.take(NOTHING))
      this.#last += this.#stream.end()
    } else this.#last += this.#stream.breakOff()
    return this.#ended
  }

  override get refusal(): AppError | undefined {
    return this.#stream.refusal
  }

  rest(): string {
    const rest = this.#tookAll ? '' : this.#push(this.inner.rest())
    return this.#last + rest + this.#stream.end()
  }

  override fail(problem: Problem): string {
    // What completes an answer must not go out before it is paid; what was cut off may, and what a rule cut off does not
    // complete anything.
    const before = this.#ended && !this.refusal ? '' : this.#last + this.#stream.breakOff()
    return before + this.#stream.rewrite(this.inner.fail(problem))
  }

  /** Pieces are whole frames: no character is cut by their ends. */
  #push(piece: Piece | undefined): string {
    if (piece === undefined) return ''
    if (typeof piece === 'string') return this.#stream.push(piece)
    if (piece instanceof Uint8Array) return this.#stream.push(decode(piece))
    return piece.map(part => this.#stream.push(decode(part))).join('')
  }
}

const NOTHING = new Uint8Array()

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
