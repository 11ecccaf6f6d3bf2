import type { StreamReader } from '../../dialects/dialect.ts'
import type { Framing } from '../../dialects/framing.ts'
import type {
  AnswerPart,
  Finish,
  NeutralAnswer,
  Problem,
  Signature,
  StreamPart,
  TokenLogprob,
  TokenUsage,
} from '../../dialects/spec.ts'
import { sse } from '../../dialects/sse.ts'
import { AppError } from '../../errors.ts'
import { asOutboundError } from '../../outbound/describe-failure.ts'

/** As much as an answer that comes whole may have. */
const LARGEST_ANSWER = 64 * 1024 * 1024

interface Gathered {
  /** Undefined when the stream was cut. */
  readonly answer: NeutralAnswer | undefined
  readonly problem: Problem | undefined
}

/** Reads a stream to its end and puts its pieces together. */
export async function gatherAnswer(
  response: Response,
  reader: StreamReader,
  framing: Framing = sse,
): Promise<Gathered> {
  const gatherer = new Gatherer()
  const emit = (part: StreamPart): void => gatherer.take(part)
  const frames = framing.createReader((event, data) => reader.read(event, data, emit))
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      if (size > LARGEST_ANSWER) throw new AppError('outbound.too-large')
      frames.push(chunk)
      if (gatherer.problem || reader.hasEnough) break
    }
    frames.end()
  } catch (error) {
    // It broke when everything had been said.
    if (!reader.end(emit)) throw error instanceof AppError ? error : asOutboundError(error)
  }
  const whole = reader.end(emit)
  return { answer: whole && !gatherer.problem ? gatherer.answer() : undefined, problem: gatherer.problem }
}

/** Pieces of an answer, put together. */
class Gatherer {
  problem: Problem | undefined
  readonly #parts: AnswerPart[] = []
  readonly #calls = new Map<number, { at: number; input: string }>()
  /** Of the text that is being put together. */
  #logprobs: TokenLogprob[] | undefined
  #begun = { id: '', model: '', created: 0 }
  #finish: Finish = { reason: 'stop' }
  #usage: TokenUsage | undefined
  readonly #others = new Map<number, Gatherer>()

  answer(): NeutralAnswer {
    const others = [...this.#others].toSorted(([one], [other]) => one - other)
    return {
      ...this.#begun,
      parts: this.#parts,
      finish: this.#finish,
      usage: this.#usage,
      others: others.map(([, gathered]) => gathered.answer()),
    }
  }

  take(part: StreamPart): void {
    switch (part.type) {
      case 'start':
        this.#begun = { id: part.id, model: part.model, created: part.created }
        return
      case 'text-delta':
        return this.#addText(part)
      case 'refusal-delta':
        this.#parts.push({ type: 'text', text: part.text, refusal: true })
        return
      case 'thinking-delta':
        return this.#addThinking(part.text)
      case 'thinking-signature':
        return this.#signThinking(part.signature)
      case 'thinking-redacted':
        this.#parts.push({ type: 'thinking', text: '', redacted: part.data })
        return
      case 'tool-start': {
        const { id, name, signature } = part
        this.#calls.set(part.index, { at: this.#parts.length, input: '' })
        this.#parts.push({ type: 'tool-call', id, name, input: '', signature })
        return
      }
      case 'tool-input-delta': {
        const call = this.#calls.get(part.index)
        if (call) call.input += part.json
        return
      }
      case 'tool-end':
        return this.#closeCall(part.index)
      case 'citation':
        this.#parts.push(part.citation)
        return
      case 'media':
        this.#parts.push(part.media)
        return
      case 'usage':
        this.#usage = part.usage
        return
      case 'finish':
        this.#finish = part.finish
        return
      case 'problem':
        this.problem ??= part.problem
        return
      case 'choice': {
        const other = this.#others.get(part.index) ?? new Gatherer()
        this.#others.set(part.index, other)
        other.take(part.part)
      }
    }
  }

  #addText({ text, logprobs }: Extract<StreamPart, { type: 'text-delta' }>): void {
    const last = this.#parts.at(-1)
    const goesOn = last?.type === 'text' && !last.refusal
    if (!goesOn) this.#logprobs = undefined
    if (logprobs) {
      this.#logprobs ??= []
      this.#logprobs.push(...logprobs)
    }
    const said = { type: 'text', text, logprobs: this.#logprobs } as const
    if (!goesOn) this.#parts.push(said)
    else this.#parts[this.#parts.length - 1] = { ...last, ...said, text: last.text + text }
  }

  #addThinking(text: string): void {
    const last = this.#parts.at(-1)
    if (last?.type === 'thinking' && !last.signature && last.redacted === undefined)
      this.#parts[this.#parts.length - 1] = { ...last, text: last.text + text }
    else this.#parts.push({ type: 'thinking', text })
  }

  #signThinking(signature: Signature): void {
    const last = this.#parts.at(-1)
    if (last?.type === 'thinking') this.#parts[this.#parts.length - 1] = { ...last, signature }
    else this.#parts.push({ type: 'thinking', text: '', signature })
  }

  #closeCall(index: number): void {
    const call = this.#calls.get(index)
    const part = call && this.#parts[call.at]
    if (call && part?.type === 'tool-call') this.#parts[call.at] = { ...part, input: call.input }
  }
}
