import type { StreamReader } from '../../dialects/dialect.ts'
import type { Framing } from '../../dialects/framing.ts'
import type { AnswerPart, Choice, NeutralAnswer, StreamPart, TokenUsage } from '../../dialects/spec.ts'

type Emit = (part: StreamPart) => void

/** Says a whole answer as a stream: all of it with the first frame, whatever that holds. */
export class WholeReader implements StreamReader {
  readonly #answer: NeutralAnswer
  readonly #usage: TokenUsage | undefined
  #isSaid = false

  constructor(answer: NeutralAnswer, usage: TokenUsage | undefined) {
    this.#answer = answer
    this.#usage = usage
  }

  read(_event: string, _data: string, emit: Emit): void {
    if (this.#isSaid) return
    this.#isSaid = true
    const { others = [], finish } = this.#answer
    const begin = (tell: Emit): void => {
      const { id, model, created } = this.#answer
      tell({ type: 'start', id, model, created })
    }
    begin(emit)
    sayParts(this.#answer, emit)
    for (const [at, other] of others.entries()) {
      const tell: Emit = part => emit({ type: 'choice', index: at + 1, part })
      begin(tell)
      sayParts(other, tell)
      tell({ type: 'finish', finish: other.finish })
    }
    // The end of the first is the end of all.
    emit({ type: 'finish', finish })
    if (this.#usage) emit({ type: 'usage', usage: this.#usage })
  }

  end(): boolean {
    return this.#isSaid
  }

  get hasEnough(): boolean {
    return this.#isSaid
  }
}

/** Every piece is a frame, which says nothing but that there is one. */
export const anyPiece: Framing = {
  types: [],
  createReader: onFrame => ({ push: () => onFrame('', ''), end() {} }),
}

function sayParts({ parts }: Choice, emit: Emit): void {
  for (const [index, part] of parts.entries()) sayPart(part, index, emit)
}

function sayPart(part: AnswerPart, index: number, emit: Emit): void {
  switch (part.type) {
    case 'text': {
      const { text, refusal, signature, logprobs } = part
      return emit(
        refusal ? { type: 'refusal-delta', text } : { type: 'text-delta', text, signature, logprobs },
      )
    }
    case 'thinking': {
      const { text, redacted, signature } = part
      // Only Anthropic's models seal what they think.
      if (redacted !== undefined) return emit({ type: 'thinking-redacted', data: redacted, by: 'anthropic' })
      if (text !== '') emit({ type: 'thinking-delta', text })
      if (signature) emit({ type: 'thinking-signature', signature })
      return
    }
    case 'tool-call': {
      const { id, name, input, signature } = part
      emit({ type: 'tool-start', index, id, name, signature })
      if (input !== '') emit({ type: 'tool-input-delta', index, json: input })
      return emit({ type: 'tool-end', index })
    }
    case 'citation':
      return emit({ type: 'citation', citation: part })
    case 'media':
      return emit({ type: 'media', media: part })
  }
}
