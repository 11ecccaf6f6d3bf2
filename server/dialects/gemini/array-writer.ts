import type { StreamWriter } from '../dialect.ts'
import type { Problem, StreamPart } from '../spec.ts'
import { SseReader } from '../sse.ts'
import { writeProblem } from './problems.ts'

/** The elements of one JSON array, written as they come. */
class ArrayText {
  #next = '['

  add(json: string): string {
    const text = this.#next + json
    this.#next = ',\n'
    return text
  }

  close(): string {
    return this.#next === '[' ? '[]' : ']'
  }
}

/** Turns server-sent events that pass through, cut anywhere, into that array. */
export class SseToArray {
  readonly #array = new ArrayText()
  readonly #reader = new SseReader((_event, data) => {
    if (data !== '') this.#ready += this.#array.add(data)
  })
  #ready = ''

  push(frames: Uint8Array | string): string {
    if (typeof frames === 'string') this.#reader.pushText(frames)
    else this.#reader.push(frames)
    return this.#take()
  }

  end(): string {
    this.#reader.end()
    return this.#take() + this.#array.close()
  }

  /** An event that was cut is left out: the array stays JSON. */
  fail(problem: Problem): string {
    return this.#take() + this.#array.add(JSON.stringify(writeProblem(problem))) + this.#array.close()
  }

  #take(): string {
    const ready = this.#ready
    this.#ready = ''
    return ready
  }
}

/** streamGenerateContent without `alt=sse`: the same answers as elements of one array. */
class ArrayWriter implements StreamWriter {
  readonly #writer: StreamWriter
  readonly #array = new SseToArray()

  constructor(writer: StreamWriter) {
    this.#writer = writer
  }

  write(part: StreamPart): string {
    const frames = this.#writer.write(part)
    return frames === '' ? '' : this.#array.push(frames)
  }

  end(): string {
    return this.#array.push(this.#writer.end()) + this.#array.end()
  }

  fail(problem: Problem): string {
    return this.#array.fail(problem)
  }
}

export function writeAsArray(writer: StreamWriter): StreamWriter {
  return new ArrayWriter(writer)
}
