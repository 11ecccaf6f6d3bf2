import type { StreamWriter } from './dialect.ts'
import type { AnswerPart, CitationPart, NeutralAnswer, Problem, StreamPart } from './spec.ts'

// For clients that show what a model says and know of no thoughts: those stand before it, between marks that most
// of them know. It is done to what is written, never to what was read: what is counted and paid stays the same.

const OPEN = '<think>\n'
const CLOSE = '\n</think>\n\n'

/** The same with its thoughts said. */
export function sayThoughts(answer: NeutralAnswer): NeutralAnswer {
  const others = answer.others?.map(other => ({ ...other, parts: sayIn(other.parts) }))
  return { ...answer, parts: sayIn(answer.parts), others }
}

function sayIn(parts: readonly AnswerPart[]): readonly AnswerPart[] {
  if (!parts.some(({ type }) => type === 'thinking')) return parts
  const said: AnswerPart[] = []
  const thoughts = new Thoughts()
  for (const part of parts) {
    const before = part.type === 'thinking' ? thoughts.open(part.text) : thoughts.close()
    if (before !== '') said.push({ type: 'text', text: before })
    if (part.type === 'citation') said.push(thoughts.moved(part))
    else if (part.type !== 'thinking') said.push(part)
  }
  const last = thoughts.close()
  return last === '' ? said : [...said, { type: 'text', text: last }]
}

/** Knows whether thoughts are being said, and by how much they have moved the rest. */
class Thoughts {
  #isOpen = false
  #length = 0

  open(text: string): string {
    if (text === '') return ''
    const said = this.#isOpen ? text : OPEN + text
    this.#isOpen = true
    this.#length += said.length
    return said
  }

  close(): string {
    if (!this.#isOpen) return ''
    this.#isOpen = false
    this.#length += CLOSE.length
    return CLOSE
  }

  moved(citation: CitationPart): CitationPart {
    const { start, end } = citation
    return {
      ...citation,
      ...(start !== undefined && { start: start + this.#length }),
      ...(end !== undefined && { end: end + this.#length }),
    }
  }
}

/** Writes a stream with its thoughts said. */
export class ThoughtSayer implements StreamWriter {
  readonly #writer: StreamWriter
  readonly #thoughts = new Thoughts()

  constructor(writer: StreamWriter) {
    this.#writer = writer
  }

  write(part: StreamPart): string {
    switch (part.type) {
      case 'thinking-delta':
        return this.#say(this.#thoughts.open(part.text))
      // Nobody can send them back: what was thought is a part of the text.
      case 'thinking-signature':
      case 'thinking-redacted':
        return ''
      case 'start':
      case 'usage':
        return this.#writer.write(part)
      case 'citation':
        return this.#writer.write({ ...part, citation: this.#thoughts.moved(part.citation) })
      case 'text-delta':
        if (part.text === '') return this.#writer.write(part)
    }
    return this.#say(this.#thoughts.close()) + this.#writer.write(part)
  }

  end(): string {
    return this.#say(this.#thoughts.close()) + this.#writer.end()
  }

  fail(problem: Problem): string {
    return this.#writer.fail(problem)
  }

  #say(text: string): string {
    return text === '' ? '' : this.#writer.write({ type: 'text-delta', text })
  }
}
