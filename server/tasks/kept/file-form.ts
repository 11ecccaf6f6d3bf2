import { refuseField, refuseNamed } from '../../dialects/refuse.ts'
import type { PartHead } from '../../relay/request/read-part-head.ts'
import { HeldBytes } from './held-bytes.ts'
import type { FormEvent } from './read-form.ts'

/** What may stand in a form besides its file. */
export interface FieldsBeside {
  /** By their names; each throws where its text is wrong. */
  readonly checks: Readonly<Record<string, (text: string) => void>>
  /** Throws where they are wrong together, or one is missing. */
  readonly checkAll?: (fields: ReadonlyMap<string, string>) => void
}

const LONGEST_FIELD = 40
const LONGEST_NAME = 500
/** What is no longer is kept until an account has it, and can be sent to the next. */
export const KEPT_BYTES = 4 * 1024 * 1024

/** The form with a file in it that a client sends, and that goes on while it comes. */
export class FileForm {
  readonly #events: AsyncIterator<FormEvent>
  readonly #beside: FieldsBeside
  readonly #boundary = `form-${crypto.randomUUID()}`
  readonly #fields = new Map<string, string>()
  #head: PartHead | undefined
  readonly #file = new HeldBytes()
  #isOver = false
  #reading: Promise<void> | undefined

  constructor(events: AsyncIterator<FormEvent>, beside: FieldsBeside) {
    this.#events = events
    this.#beside = beside
  }

  /** Of the file, as far as it has come. */
  get bytes(): number {
    return this.#file.length
  }

  /** What stands beside it by that name, when all of it has come. */
  field(name: string): string {
    return this.#fields.get(name) ?? ''
  }

  get contentType(): string {
    return `multipart/form-data; boundary=${this.#boundary}`
  }

  /** Fields may stand before the file and after it. */
  async findFile(): Promise<void> {
    this.#head = await this.#readFields()
    if (!this.#head) refuseField('file', 'field.required')
  }

  /** Of a short file all: what is wrong with its form is known before anybody is asked. */
  async readAhead(): Promise<void> {
    while (!this.#isOver && this.isKept) await this.#readMore()
  }

  /** Whether another account can be sent all of it. */
  get isKept(): boolean {
    return this.bytes <= KEPT_BYTES
  }

  /** What goes on to an upstream. `broken` is aborted if it is not to be had. */
  stream(onReceived: () => void, broken: AbortController): ReadableStream<Uint8Array> {
    const pieces = this.#write(onReceived)
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (done) controller.close()
          else controller.enqueue(value)
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

  async *#write(onReceived: () => void): AsyncGenerator<Buffer, void> {
    const { fileName, fileNameCoded, contentType = 'application/octet-stream' } = this.#head ?? {}
    const named = fileName === undefined ? '' : `; filename="${fileName}"`
    const coded = fileNameCoded === undefined ? '' : `; filename*=${fileNameCoded}`
    yield this.#part('file', `${named}${coded}\r\nContent-Type: ${contentType}`)
    let sent = 0
    for (;;) {
      for (let piece = this.#file.behind(sent); piece; piece = this.#file.behind(sent)) {
        yield piece
        sent += piece.length
      }
      if (!this.isKept) this.#file.drop(sent)
      if (this.#isOver) break
      await this.#readMore()
    }
    onReceived()
    for (const [name, text] of this.#fields)
      yield Buffer.concat([Buffer.from('\r\n'), this.#part(name), Buffer.from(text)])
    yield Buffer.from(`\r\n--${this.#boundary}--\r\n`)
  }

  #part(name: string, more = ''): Buffer {
    return Buffer.from(`--${this.#boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`)
  }

  /** One reads at a time; others wait for the same. What is wrong with it is wrong for every account. */
  async #readMore(): Promise<void> {
    this.#reading ??= this.#read().then(() => {
      this.#reading = undefined
    })
    await this.#reading
  }

  async #read(): Promise<void> {
    const { done, value } = await this.#events.next()
    if (done || value.kind === 'part') refuseField('body', 'field.form-cut')
    if (value.kind === 'bytes') {
      this.#file.add(value.bytes)
      return
    }
    if (this.bytes === 0) refuseField('file', 'field.empty')
    if (await this.#readFields()) refuseField('file', 'field.repeated')
    this.#beside.checkAll?.(this.#fields)
    this.#isOver = true
  }

  /** Until the file begins, or the form ends. */
  async #readFields(): Promise<PartHead | undefined> {
    let name = ''
    for (let event = await this.#events.next(); !event.done; event = await this.#events.next()) {
      const { value } = event
      if (value.kind === 'part') {
        const { head } = value
        ;({ name } = head)
        this.#checkHead(head)
        if (head.isFile) return head
        this.#fields.set(name, '')
      } else if (value.kind === 'bytes') {
        const text = `${this.#fields.get(name)}${value.bytes.toString('utf8')}`
        if (text.length > LONGEST_FIELD) refuseField(name, 'field.most-characters', { most: LONGEST_FIELD })
        this.#fields.set(name, text)
      } else this.#beside.checks[name]?.(this.#fields.get(name) ?? '')
    }
    return undefined
  }

  #checkHead({ name, isFile, fileName = '' }: PartHead): void {
    const said = name.slice(0, 100)
    if (isFile !== (name === 'file')) refuseField(said, isFile ? 'field.no-file' : 'field.file')
    if (isFile && fileName.length > LONGEST_NAME)
      refuseField('filename', 'field.most-characters', { most: LONGEST_NAME })
    if (isFile) return
    if (!Object.hasOwn(this.#beside.checks, name)) refuseNamed(said)
    if (this.#fields.has(name)) refuseField(said, 'field.repeated')
  }
}
