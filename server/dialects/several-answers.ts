import type { AnswerDialect, SeveralIn, StreamReader, StreamWriter } from './dialect.ts'
import { asArray, asNumber, asObject, type JsonObject, parseExactly } from './json.ts'
import type { Problem, StreamPart } from './spec.ts'
import type { ToolUse } from './usage.ts'

// Several answers to one request. Readers and writers know one: each answer has its own of them, and what comes
// for one of the others is handed on as a part of that.

type Emit = (part: StreamPart) => void

/** Fields that are told once for all answers; only the first is to read them. */
const SHARED = { usage: undefined, usageMetadata: undefined }

interface OneAnswer {
  readonly index: number
  readonly body: JsonObject
}

/** An answer, or a frame, once for each of those in it, so that each can be read as if it were the only one. */
export function separate(body: JsonObject, field: SeveralIn): readonly OneAnswer[] {
  return asArray(body[field]).map((entry, at) => {
    const one = asObject(entry) ?? {}
    const index = asNumber(one.index) ?? at
    return { index, body: { ...body, [field]: [{ ...one, index: 0 }] } }
  })
}

/** Answers, each written as if it were the only one, put together. */
export function joinAnswers(first: JsonObject, others: readonly JsonObject[], field: SeveralIn): JsonObject {
  const entries = [first, ...others].flatMap((body, index) =>
    asArray(body[field]).map(entry => ({ ...asObject(entry), index })),
  )
  return { ...first, [field]: entries }
}

/** The same, with answers that may be several. */
export function readSeveral(dialect: AnswerDialect, field: SeveralIn, count: number): AnswerDialect {
  return {
    ...dialect,
    readAnswer(body) {
      const [first, ...others] = separate(body, field)
        .toSorted((one, other) => one.index - other.index)
        .map(one => dialect.readAnswer(one.body))
      if (first === undefined) return dialect.readAnswer(body)
      return { ...first, others: others.filter(other => other !== undefined) }
    },
    createReader: () => new SeveralReader(() => dialect.createReader(), field, count),
  }
}

class SeveralReader implements StreamReader {
  readonly #create: () => StreamReader
  readonly #field: SeveralIn
  readonly #count: number
  readonly #readers = new Map<number, StreamReader>()
  readonly #finished = new Set<number>()
  /** The finish of the first, until the others have theirs: with it the answer is whole. */
  #finish: StreamPart | undefined

  constructor(create: () => StreamReader, field: SeveralIn, count: number) {
    this.#create = create
    this.#field = field
    this.#count = count
  }

  read(event: string, data: string, emit: Emit): void {
    const body = parseExactly(data)
    if (!body) return this.#readMark(event, data, emit)
    const entries = separate(body, this.#field)
    for (const one of entries)
      if (one.index !== 0) this.#readOne(one.index, event, { ...one.body, ...SHARED }, emit)
    const first = entries.find(({ index }) => index === 0)?.body ?? { ...body, [this.#field]: [] }
    this.#readOne(0, event, first, emit)
  }

  /** One prompt was searched for, however many answers tell of it. */
  get toolUse(): ToolUse | undefined {
    return this.#readers.get(0)?.toolUse
  }

  end(emit: Emit): boolean {
    let isWhole = this.#readers.has(0)
    for (const [index, reader] of this.#readers)
      if (!reader.end(part => this.#take(index, part, emit))) isWhole = false
    this.#tellFinish(emit)
    return isWhole
  }

  /** An end mark is everybody's. */
  #readMark(event: string, data: string, emit: Emit): void {
    for (const [index, reader] of this.#readers)
      reader.read(event, data, part => this.#take(index, part, emit))
    this.#tellFinish(emit)
  }

  #readOne(index: number, event: string, body: JsonObject, emit: Emit): void {
    const reader = this.#readers.get(index) ?? this.#create()
    this.#readers.set(index, reader)
    reader.read(event, JSON.stringify(body), part => this.#take(index, part, emit))
  }

  #take(index: number, part: StreamPart, emit: Emit): void {
    if (part.type === 'finish') this.#finished.add(index)
    if (index !== 0 && part.type !== 'problem') emit({ type: 'choice', index, part })
    else if (part.type === 'finish') this.#finish = part
    else emit(part)
    if (part.type === 'finish' && this.#finished.size >= this.#count) this.#tellFinish(emit)
  }

  #tellFinish(emit: Emit): void {
    const finish = this.#finish
    this.#finish = undefined
    if (finish) emit(finish)
  }
}

/** Writes the frames of all answers, each with a writer of its own. */
export class SeveralWriter implements StreamWriter {
  readonly #create: () => StreamWriter
  readonly #field: SeveralIn
  readonly #first: StreamWriter
  readonly #others = new Map<number, StreamWriter>()

  constructor(create: () => StreamWriter, field: SeveralIn) {
    this.#create = create
    this.#field = field
    this.#first = create()
  }

  write(part: StreamPart): string {
    if (part.type !== 'choice') return this.#first.write(part)
    const writer = this.#others.get(part.index) ?? this.#create()
    this.#others.set(part.index, writer)
    return this.#number(writer.write(part.part), part.index)
  }

  end(): string {
    const others = [...this.#others].map(([index, writer]) => this.#number(writer.end(), index))
    return others.join('') + this.#first.end()
  }

  fail(problem: Problem): string {
    return this.#first.fail(problem)
  }

  /** Frames of the only answer as frames of this one. The end mark is the first one's to give. */
  #number(frames: string, index: number): string {
    return frames
      .split('\n\n')
      .map(frame => this.#numberFrame(frame, index))
      .join('')
  }

  #numberFrame(frame: string, index: number): string {
    const body = parseExactly(frame.slice('data: '.length))
    if (!body) return ''
    const entries = asArray(body[this.#field]).map(entry => ({ ...asObject(entry), index }))
    return `data: ${JSON.stringify({ ...body, [this.#field]: entries })}\n\n`
  }
}
