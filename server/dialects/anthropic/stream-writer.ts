import type { Asked, StreamWriter } from '../dialect.ts'
import type { Finish, Problem, StreamPart, TokenUsage } from '../spec.ts'
import {
  frameBlockStop,
  frameCallStart,
  frameCitation,
  frameInput,
  frameMessageDelta,
  frameMessageStart,
  frameSealedStart,
  frameSignature,
  frameText,
  frameTextStart,
  frameThinking,
  frameThinkingStart,
  MESSAGE_STOP,
  PING,
} from './frames.ts'
import { writeFinish } from './map-stop-reason.ts'
import { writeStreamProblem } from './problems.ts'
import { type ShownThoughts, shownThoughts } from './shown-thoughts.ts'
import { writeCitation, writeMediaText, writeMessageId } from './write-answer.ts'
import { writeUsage } from './write-usage.ts'

type Kind = 'none' | 'text' | 'thinking' | 'call'

/** What waits, and behind the start of a call the pieces of that. */
interface Waiting {
  readonly part: StreamPart
  readonly pieces: StreamPart[]
}

/**
 * One block is open at a time. While it is a call, all that belongs to no other place in it waits in order:
 * other vendors mix the pieces of several calls, or text, into one another.
 */
export class AnthropicWriter implements StreamWriter {
  readonly #asked: Asked
  readonly #shown: ShownThoughts
  readonly #waiting: Waiting[] = []
  /** Of calls that have not begun here. */
  readonly #pieces = new Map<number, StreamPart[]>()
  #open: Kind = 'none'
  /** The index of the call that is open, as its reader numbers it. */
  #call = -1
  #callHasInput = false
  /** The index of the open block, or of the next. */
  #block = 0
  #started = false
  #called = false
  #usage: TokenUsage | undefined
  #finish: Finish | undefined
  #problem: Problem | undefined

  constructor(asked: Asked) {
    this.#asked = asked
    this.#shown = shownThoughts(asked.request)
  }

  write(part: StreamPart): string {
    switch (part.type) {
      case 'start':
        return this.#start(part.id)
      case 'usage':
        this.#usage = part.usage
        return ''
      case 'finish':
        this.#finish = part.finish
        return ''
      case 'problem':
        this.#problem = part.problem
        return ''
      default:
        if (this.#mustWait(part)) return this.#wait(part)
        return this.#place(part) + this.#drain()
    }
  }

  end(): string {
    if (this.#problem !== undefined) return writeStreamProblem(this.#problem)
    const head = this.#start('')
    let rest = ''
    // A call that nobody ended is ended here, and what waited for it follows.
    while (this.#open !== 'none' || this.#waiting.length > 0) rest += this.#close() + this.#drain()
    const delta = writeFinish(this.#finish, this.#called)
    const usage = writeUsage(this.#usage, this.#asked.estimatedInput)
    return head + rest + frameMessageDelta(delta, usage) + MESSAGE_STOP
  }

  fail(problem: Problem): string {
    return writeStreamProblem(problem)
  }

  #start(id: string): string {
    if (this.#started) return ''
    this.#started = true
    const message = {
      id: writeMessageId(id),
      type: 'message',
      role: 'assistant',
      model: this.#asked.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: writeUsage(undefined, this.#asked.estimatedInput),
    }
    return frameMessageStart(message) + PING
  }

  #mustWait(part: StreamPart): boolean {
    if (this.#open !== 'call') return false
    return !('index' in part) || part.index !== this.#call || part.type === 'tool-start'
  }

  #wait(part: StreamPart): string {
    if (part.type === 'tool-input-delta' || part.type === 'tool-end') {
      this.#pieces.get(part.index)?.push(part)
      return ''
    }
    const pieces: StreamPart[] = []
    if (part.type === 'tool-start') this.#pieces.set(part.index, pieces)
    this.#waiting.push({ part, pieces })
    return ''
  }

  #place(part: StreamPart): string {
    switch (part.type) {
      case 'text-delta':
      case 'refusal-delta':
        return this.#text(part.text)
      case 'media':
        return this.#text(writeMediaText(part.media))
      case 'citation':
        return this.#open === 'text' ? frameCitation(this.#block, writeCitation(part.citation)) : ''
      case 'thinking-delta':
        return this.#thinking(part.text)
      case 'thinking-signature': {
        if (this.#shown === 'none') return ''
        const head = this.#enter('thinking')
        return head + frameSignature(this.#block, part.signature) + this.#leave()
      }
      case 'thinking-redacted': {
        if (this.#shown === 'none') return ''
        const head = this.#close()
        const signature = { by: part.by, value: part.data }
        return head + frameSealedStart(this.#block, signature) + this.#leave()
      }
      case 'tool-start':
        return this.#startCall(part)
      case 'tool-input-delta':
        if (part.index !== this.#call || part.json === '') return ''
        this.#callHasInput = true
        return frameInput(this.#block, part.json)
      case 'tool-end':
        return part.index === this.#call ? this.#close() : ''
      default:
        return ''
    }
  }

  #text(text: string): string {
    if (text === '') return ''
    return this.#enter('text') + frameText(this.#block, text)
  }

  #thinking(text: string): string {
    if (text === '' || this.#shown !== 'all') return ''
    return this.#enter('thinking') + frameThinking(this.#block, text)
  }

  #startCall(part: Extract<StreamPart, { type: 'tool-start' }>): string {
    const head = this.#close()
    this.#open = 'call'
    this.#call = part.index
    this.#callHasInput = false
    this.#called = true
    return head + frameCallStart(this.#block, part)
  }

  #enter(kind: 'text' | 'thinking'): string {
    if (this.#open === kind) return ''
    const head = this.#close()
    this.#open = kind
    return head + (kind === 'text' ? frameTextStart(this.#block) : frameThinkingStart(this.#block))
  }

  #close(): string {
    if (this.#open === 'none') return ''
    let last = ''
    // Clients insist on a signature, and on at least one piece of input.
    if (this.#open === 'thinking') last = frameSignature(this.#block, undefined)
    if (this.#open === 'call' && !this.#callHasInput) last = frameInput(this.#block, '')
    return last + this.#leave()
  }

  #leave(): string {
    this.#open = 'none'
    this.#call = -1
    return frameBlockStop(this.#block++)
  }

  /** Writes what waited, up to the next call that is still under way; its own pieces are written with it. */
  #drain(): string {
    let out = ''
    while (this.#open !== 'call') {
      const next = this.#waiting.shift()
      if (!next) break
      out += this.#place(next.part)
      if ('index' in next.part && this.#pieces.get(next.part.index) === next.pieces)
        this.#pieces.delete(next.part.index)
      for (const piece of next.pieces) out += this.#place(piece)
    }
    return out
  }
}
