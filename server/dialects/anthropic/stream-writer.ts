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
import { writeCitation, writeMediaText, writeMessageId } from './write-answer.ts'
import { writeUsage } from './write-usage.ts'

type Kind = 'none' | 'text' | 'thinking' | 'call'

/**
 * One block is open at a time. While it is a call, all that belongs to no other place in it waits in order:
 * other vendors mix the pieces of several calls, or text, into one another.
 */
export class AnthropicWriter implements StreamWriter {
  readonly #asked: Asked
  readonly #hidden: boolean
  #waiting: StreamPart[] = []
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
    this.#hidden = asked.request.reasoning?.visible === false
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
    this.#waiting.push(part)
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
        const head = this.#enter('thinking')
        return head + frameSignature(this.#block, part.signature) + this.#leave()
      }
      case 'thinking-redacted': {
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
    if (text === '' || this.#hidden) return ''
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

  #mayDrain(): boolean {
    return this.#waiting.length > 0 && this.#open !== 'call'
  }

  /** Writes what waited, up to the next call that is still under way; its own pieces are written with it. */
  #drain(): string {
    let out = ''
    while (this.#mayDrain()) {
      const waiting = this.#waiting
      this.#waiting = []
      let at = 0
      for (; at < waiting.length; at += 1) {
        const part = waiting[at]
        if (part === undefined) continue
        if (this.#mustWait(part)) this.#waiting.push(part)
        else out += this.#place(part)
        // The call just ended: what waited for it comes before the rest.
        if (this.#mayDrain()) break
      }
      for (const part of waiting.slice(at + 1)) this.#waiting.push(part)
    }
    return out
  }
}
