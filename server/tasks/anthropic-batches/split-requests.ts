import { isObject, type JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { JoinedBytes } from '../../relay/request/joined-bytes.ts'

const QUOTE = 34
const COMMA = 44
const LIST = 91
const ESCAPE = 92
const LIST_END = 93
const OBJECT = 123
const OBJECT_END = 125

const NAME = 'requests'
const begins = new RegExp(`"${NAME}"\\s*:\\s*$`)
/** As much as the vendor takes in one request. */
const LONGEST = 32 * 1024 * 1024
/** All that may stand around the list. */
const LONGEST_AROUND = 10_000

/** The body of a batch to its requests, while it comes: never more of it is held than the one that is coming. */
export class RequestSplitter {
  /** What stands around the list of requests, which itself is a nought in it. */
  #around = ''
  readonly #request = new JoinedBytes()
  #depth = 0
  #isText = false
  #isEscaped = false
  #isInside = false
  #lists = 0
  /** A comma came: another has to follow. */
  #isAwaited = false

  /** What else is in the body, when all of it has come; undefined when it has no such list. */
  end(): JsonObject | undefined {
    if (this.#isInside || this.#lists > 1) throw new AppError('relay.invalid-json')
    let around: unknown
    try {
      around = JSON.parse(this.#around)
    } catch (error) {
      throw new AppError('relay.invalid-json', {}, error)
    }
    if (!isObject(around)) throw new AppError('relay.invalid-json')
    const { [NAME]: _, ...rest } = around
    return this.#lists === 0 ? undefined : rest
  }

  /** Those that these bytes complete. */
  *push(bytes: Uint8Array): Generator<string> {
    let from = 0
    for (let at = 0; at < bytes.length; at++) {
      const sign = bytes[at]
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (sign === ESCAPE) this.#isEscaped = true
        else if (sign === QUOTE) this.#isText = false
      } else if (sign === QUOTE) this.#isText = true
      else if (sign === OBJECT || sign === LIST) {
        this.#depth++
        if (sign !== LIST || this.#depth !== 2 || this.#isInside) continue
        this.#keep(bytes.subarray(from, at))
        from = at
        if (!begins.test(this.#around)) continue
        this.#isInside = true
        this.#lists++
        from = at + 1
      } else if (sign === OBJECT_END || sign === LIST_END) {
        if (this.#isInside && this.#depth === 2) {
          this.#keep(bytes.subarray(from, at))
          yield* this.#last()
          from = at + 1
        }
        this.#depth--
      } else if (sign === COMMA && this.#isInside && this.#depth === 2) {
        this.#keep(bytes.subarray(from, at))
        const text = this.#take()
        if (text.trim() === '') throw new AppError('relay.invalid-json')
        yield text
        this.#isAwaited = true
        from = at + 1
      }
    }
    this.#keep(bytes.subarray(from))
  }

  *#last(): Generator<string> {
    const text = this.#take()
    const isBlank = text.trim() === ''
    if (isBlank && this.#isAwaited) throw new AppError('relay.invalid-json')
    if (!isBlank) yield text
    this.#isInside = false
    this.#around += '0'
  }

  #take(): string {
    const text = this.#request.whole().toString('utf8')
    this.#request.clear()
    return text
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (!this.#isInside) {
      this.#around += Buffer.from(bytes).toString('latin1')
      if (this.#around.length > LONGEST_AROUND) throw new AppError('relay.invalid-json')
      return
    }
    this.#request.add(bytes)
    if (this.#request.length > LONGEST) throw new AppError('request.too-large', { limit: LONGEST })
  }
}
