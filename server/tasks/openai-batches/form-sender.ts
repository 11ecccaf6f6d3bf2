import { refuseField, refuseValue } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import type { LineGuard } from '../../relay/guards/line-guard.ts'
import { LARGEST_JSON } from '../../relay/request/read-body.ts'
import { refuseSensitiveWords } from '../../relay/request/sensitive-words.ts'
import type { Settings } from '../../store/settings-snapshot.ts'
import { addSize, newExtent } from '../batches/extent.ts'
import { LineSplitter } from '../batches/split-lines.ts'
import type { FormEvent } from '../kept/read-form.ts'
import { type Line, readLine, writeLine } from './read-line.ts'

const MOST_LINES = 50_000
const PURPOSE = 'batch'
/** Besides the purpose: when the vendor may throw the file away. */
const passed = ['expires_after[anchor]', 'expires_after[seconds]'] as const
const LONGEST_FIELD = 1000
const LONGEST_NAME = 255

/** The form with a file in it that a client sends, line by line looked at and written anew while it comes. */
export class FormSender {
  readonly extent = newExtent()
  /** Of the file, as it was sent. */
  bytes = 0
  fileName = 'file.jsonl'
  readonly #events: AsyncIterator<FormEvent>
  readonly #settings: Settings
  readonly #guard: LineGuard
  readonly #fields = new Map<string, string>()
  readonly #lines = new LineSplitter(LARGEST_JSON)
  readonly #boundary = `form-${crypto.randomUUID()}`
  #lineNumber = 0
  #waiting: Line[] = []
  #isFileOver = false

  constructor(events: AsyncIterator<FormEvent>, settings: Settings, guard: LineGuard) {
    this.#events = events
    this.#settings = settings
    this.#guard = guard
  }

  get contentType(): string {
    return `multipart/form-data; boundary=${this.#boundary}`
  }

  /** Fields may stand before the file and after it. */
  async findFile(): Promise<void> {
    if (!(await this.#readFields())) refuseField('file', 'field.required')
    if (this.#fields.has('purpose')) this.#checkPurpose()
  }

  /** That of the first request. */
  async findModel(): Promise<string> {
    while (this.extent.line_count === 0 && !this.#isFileOver) this.#waiting.push(...(await this.#readLines()))
    return this.extent.model
  }

  /** What goes on to the upstream. `onReceived` is told when all of it has come; `broken` is aborted if it is not to be had. */
  stream(model: string, onReceived: () => void, broken: AbortController): ReadableStream<Uint8Array> {
    const pieces = this.#write(model, onReceived)
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (done) controller.close()
          else controller.enqueue(Buffer.from(value))
        } catch (error) {
          broken.abort(error)
          controller.error(error)
        }
      },
      async cancel() {
        await pieces.return()
      },
    })
  }

  async *#write(model: string, onReceived: () => void): AsyncGenerator<string, void> {
    yield this.#head('file', `; filename="file.jsonl"\r\nContent-Type: application/jsonl`)
    yield this.#take(model)
    while (!this.#isFileOver) {
      this.#waiting.push(...(await this.#readLines()))
      if (this.#waiting.length > 0) yield this.#take(model)
    }
    if (await this.#readFields()) refuseField('file', 'field.repeated')
    this.#checkPurpose()
    onReceived()
    let tail = '\r\n'
    for (const name of ['purpose', ...passed]) {
      const value = this.#fields.get(name)
      if (value !== undefined) tail += `${this.#head(name)}${value}\r\n`
    }
    yield `${tail}--${this.#boundary}--\r\n`
  }

  #head(name: string, more = ''): string {
    return `--${this.#boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  }

  #take(model: string): string {
    const text = this.#waiting.map(line => writeLine(line, model)).join('')
    this.#waiting = []
    return text
  }

  #checkPurpose(): void {
    const purpose = this.#fields.get('purpose')
    if (purpose === undefined) refuseField('purpose', 'field.required')
    // It began like one for a batch, and nobody could wait for its end.
    if (purpose !== PURPOSE) refuseField('purpose', 'field.before-file')
    for (const name of passed)
      if (!/^\w{0,40}$/.test(this.#fields.get(name) ?? '')) refuseValue(name, this.#fields.get(name))
  }

  /** Until the file begins, or the form ends. */
  async #readFields(): Promise<boolean> {
    let name = ''
    for (let event = await this.#events.next(); !event.done; event = await this.#events.next()) {
      const { value } = event
      if (value.kind === 'part') {
        ;({ name } = value.head)
        if (this.#fields.has(name)) refuseField(name.slice(0, 100), 'field.repeated')
        if (value.head.isFile !== (name === 'file'))
          refuseField(name.slice(0, 100), value.head.isFile ? 'field.no-file' : 'field.file')
        if (value.head.isFile) {
          this.fileName = value.head.fileName?.slice(0, LONGEST_NAME) || this.fileName
          return true
        }
        this.#fields.set(name, '')
      } else if (value.kind === 'bytes') {
        const text = `${this.#fields.get(name)}${value.bytes.toString('utf8')}`
        if (text.length > LONGEST_FIELD)
          refuseField(name.slice(0, 100), 'field.most-characters', { most: LONGEST_FIELD })
        this.#fields.set(name, text)
      }
    }
    return false
  }

  /** Those that the next bytes complete. */
  async #readLines(): Promise<Line[]> {
    const { done, value } = await this.#events.next()
    if (done || value.kind === 'part') refuseField('body', 'field.form-cut')
    if (value.kind === 'bytes') {
      this.bytes += value.bytes.length
      return [...this.#lines.push(value.bytes)].flatMap(text => this.#read(text))
    }
    this.#isFileOver = true
    const last = this.#read(this.#lines.end())
    if (this.#lineNumber === 0 || this.extent.line_count === 0) refuseField('file', 'field.file-empty')
    return last
  }

  #read(text: string | undefined): Line[] {
    this.#lineNumber++
    if (text?.trim() === '') return []
    try {
      if (text === undefined) throw new AppError('request.too-large', { limit: LARGEST_JSON })
      const line = readLine(this.#lineNumber === 1 ? text.replace(/^\uFEFF/, '') : text, this.#guard)
      refuseSensitiveWords(this.#settings, { text, json: line.body })
      this.#add(line)
      return [line]
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw new AppError('file.line', { line: this.#lineNumber, detail: error }, error)
    }
  }

  /** All of them go to the same place, and ask the same model. */
  #add({ url, model, size }: Line): void {
    const { extent } = this
    if (extent.line_count === 0) {
      extent.endpoint = url
      extent.model = model
    }
    if (url !== extent.endpoint) refuseField('url', 'field.first-line', { first: extent.endpoint })
    if (model !== extent.model) refuseField('model', 'field.first-line', { first: extent.model })
    if (extent.line_count >= MOST_LINES) refuseField('file', 'field.file-lines', { most: MOST_LINES })
    addSize(extent, size)
  }
}
