import type { StreamReader } from '../dialect.ts'
import { numbersNamed } from '../frame-shape.ts'
import { asArray, asObject, asText, type Json, type JsonObject, parseLong } from '../json.ts'
import type { AnswerPart, CitationPart, Finish, StreamPart } from '../spec.ts'
import type { ToolUse } from '../usage.ts'
import { AnswerIds, createAnswerId } from './answer-ids.ts'
import { mapFinish, readFinishWord } from './finish-reasons.ts'
import { readLogprobsResult } from './logprobs.ts'
import { readStreamProblem } from './problems.ts'
import { readBlocked, readCreated } from './read-answer.ts'
import { readAnswerPart, readCitations } from './read-answer-parts.ts'
import { countSearches, readUsageMetadata, withSearches } from './read-usage.ts'

const MAY_VARY = numbersNamed('candidatesTokenCount', 'thoughtsTokenCount', 'totalTokenCount')

type Emit = (part: StreamPart) => void

/**
 * Every event is a whole answer whose parts are the next piece. There is no end mark, and some models name a
 * finish reason in every chunk, so the finish is told when the connection ends.
 */
class GeminiReader implements StreamReader {
  readonly mayVary = MAY_VARY
  #ids: AnswerIds | undefined
  #calls = 0
  #usage: Json | undefined
  #word: string | undefined
  #message: string | undefined
  #blocked: Finish | undefined
  #failed = false
  #searches = 0
  #toldSearches = 0
  readonly #cited = new Set<string>()

  read(_event: string, data: string, emit: Emit): void {
    if (this.#failed) return
    const value = parse(data)
    if (Array.isArray(value)) for (const item of value) this.#readChunk(asObject(item), emit)
    else this.#readChunk(asObject(value), emit)
  }

  get toolUse(): ToolUse | undefined {
    return this.#searches > 0 ? { searches: this.#searches } : undefined
  }

  end(emit: Emit): boolean {
    if (this.#failed) return false
    // Told again only for what came beside it: the one before may know nothing of what was said since.
    if (this.#ids && this.#searches > this.#toldSearches) this.#tellUsage(emit)
    const finish =
      this.#word === undefined ? this.#blocked : mapFinish(this.#word, this.#message, this.#calls > 0)
    if (finish) emit({ type: 'finish', finish })
    return finish !== undefined
  }

  #readChunk(chunk: JsonObject | undefined, emit: Emit): void {
    if (!chunk || this.#failed) return
    const problem = readStreamProblem(chunk)
    if (problem) {
      this.#failed = true
      return emit({ type: 'problem', problem })
    }
    if (chunk.usageMetadata !== undefined) this.#usage = chunk.usageMetadata
    this.#searches = Math.max(this.#searches, countSearches(chunk))
    const candidate = asObject(asArray(chunk.candidates)[0])
    const blocked = readBlocked(chunk)
    if (candidate || blocked) {
      const ids = this.#start(chunk, emit)
      this.#blocked = blocked ?? this.#blocked
      if (candidate) this.#readCandidate(candidate, ids, emit)
    }
    // With every chunk: whoever leaves before the last pays for the thoughts that were told of by then.
    if (this.#ids && chunk.usageMetadata !== undefined) this.#tellUsage(emit)
  }

  #tellUsage(emit: Emit): void {
    const usage = withSearches(readUsageMetadata(this.#usage), this.#searches)
    if (!usage) return
    this.#toldSearches = this.#searches
    emit({ type: 'usage', usage })
  }

  #start(chunk: JsonObject, emit: Emit): AnswerIds {
    if (this.#ids) return this.#ids
    const id = asText(chunk.responseId) || createAnswerId()
    const model = asText(chunk.modelVersion) ?? ''
    emit({ type: 'start', id, model, created: readCreated(chunk.createTime) })
    this.#ids = new AnswerIds(id)
    return this.#ids
  }

  #readCandidate(candidate: JsonObject, ids: AnswerIds, emit: Emit): void {
    let logprobs = candidate.logprobsResult ? readLogprobsResult(candidate) : undefined
    for (const item of asArray(asObject(candidate.content)?.parts)) {
      const part = asObject(item)
      if (!part) continue
      const { text } = part
      if (logprobs && typeof text === 'string' && part.thought !== true) {
        emit({ type: 'text-delta', text, signature: asText(part.thoughtSignature) || undefined, logprobs })
        logprobs = undefined
      } else if (typeof text === 'string' && text !== '' && !part.thoughtSignature)
        emit({ type: part.thought === true ? 'thinking-delta' : 'text-delta', text })
      else this.#emitPart(readAnswerPart(part, ids), emit)
    }
    if (candidate.groundingMetadata !== undefined || candidate.citationMetadata !== undefined)
      for (const citation of readCitations(candidate)) this.#cite(citation, emit)
    this.#word = readFinishWord(candidate.finishReason) ?? this.#word
    this.#message = asText(candidate.finishMessage) ?? this.#message
  }

  #emitPart(part: AnswerPart | undefined, emit: Emit): void {
    switch (part?.type) {
      case 'text':
        return emit({ type: 'text-delta', text: part.text, signature: part.signature })
      case 'thinking':
        if (part.text !== '') emit({ type: 'thinking-delta', text: part.text })
        if (part.redacted !== undefined)
          emit({ type: 'thinking-redacted', data: part.redacted, by: 'anthropic' })
        if (part.signature) emit({ type: 'thinking-signature', signature: part.signature })
        return
      case 'tool-call': {
        const index = this.#calls++
        emit({ type: 'tool-start', index, id: part.id, name: part.name, signature: part.signature })
        emit({ type: 'tool-input-delta', index, json: part.input })
        return emit({ type: 'tool-end', index })
      }
      case 'media':
        return emit({ type: 'media', media: part })
    }
  }

  /** The sources so far are repeated with every chunk. */
  #cite(citation: CitationPart, emit: Emit): void {
    if (this.#cited.has(citation.url)) return
    this.#cited.add(citation.url)
    emit({ type: 'citation', citation })
  }
}

function parse(data: string): unknown {
  try {
    return parseLong(data)
  } catch {
    return undefined
  }
}

export function createReader(): StreamReader {
  return new GeminiReader()
}
