import type { Asked, StreamWriter } from '../dialect.ts'
import type { Problem, StreamPart } from '../spec.ts'
import { writeProblem } from './problems.ts'
import { AnswerFrames } from './stream-frames.ts'

/** `alt=sse`: one event per answer, and the end of the connection as the only end mark. */
class SseWriter implements StreamWriter {
  readonly #frames: AnswerFrames

  constructor(asked: Asked) {
    this.#frames = new AnswerFrames(asked)
  }

  write(part: StreamPart): string {
    const json = this.#frames.write(part)
    return json === '' ? '' : `data: ${json}\n\n`
  }

  end(): string {
    return `data: ${this.#frames.end()}\n\n`
  }

  fail(problem: Problem): string {
    return writeStreamProblem(problem)
  }
}

export function createWriter(asked: Asked): StreamWriter {
  return new SseWriter(asked)
}

export function writeStreamProblem(problem: Problem): string {
  return `data: ${JSON.stringify(writeProblem(problem))}\n\n`
}
