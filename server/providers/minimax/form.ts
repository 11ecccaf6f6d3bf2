import type { StreamReader } from '../../dialects/dialect.ts'
import { dialects } from '../../dialects/index.ts'
import { parseObject } from '../../dialects/json.ts'
import type { VendorForm } from '../define.ts'
import type { Emit } from '../kit/answers/answer-stream.ts'
import { readBase, readProblem } from './read-failure.ts'
import { writeRequest } from './write-request.ts'

const { readAnswer, readUsage } = dialects['openai-chat']

/** OpenAI's answers, but for errors, which stand where OpenAI has none. */
export const minimaxForm: VendorForm = {
  writeRequest,
  readAnswer,
  readUsage,
  createReader: () => new MinimaxReader(),
  readProblem,
}

export class MinimaxReader implements StreamReader {
  readonly #reader = dialects['openai-chat'].createReader()
  readonly mayVary = this.#reader.mayVary
  #failed = false

  read(event: string, data: string, emit: Emit): void {
    if (this.#failed) return
    // Some models say with every chunk that all is well: then that is all to look for.
    const mayFail = !data.includes('"status_code":0') && data.includes('"base_resp"')
    const chunk = mayFail ? parseObject(data) : undefined
    const problem = chunk && readBase(chunk)
    if (!problem) return this.#reader.read(event, data, emit)
    this.#failed = true
    emit({ type: 'problem', problem })
  }

  end(emit: Emit): boolean {
    return this.#failed ? false : this.#reader.end(emit)
  }
}
