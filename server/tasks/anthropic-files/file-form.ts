import { refuseField, refuseNamed } from '../../dialects/refuse.ts'
import type { PartHead } from '../../relay/request/read-part-head.ts'
import type { Sending } from '../batches/sending.ts'
import { type FormEvent, readForm } from '../openai-batches/read-form.ts'

/** Besides the file: when the vendor is to throw it away. */
const EXPIRY = 'expires_in_seconds'
const LONGEST_FIELD = 20
const LONGEST_NAME = 500
/** What is no longer is kept until an account has it, and can be sent to the next. */
const KEPT_BYTES = 4 * 1024 * 1024

/** The form with a file in it that a client sends, and that goes on while it comes. */
export class FileForm {
  /** Of the file, as far as it has come. */
  bytes = 0
  readonly #events: AsyncGenerator<FormEvent>
  readonly #boundary = `form-${crypto.randomUUID()}`
  #head: PartHead | undefined
  #expiry: string | undefined
  #pieces: Buffer[] = []
  /** How many have gone, and are not kept. */
  #gone = 0
  #isOver = false
  #reading: Promise<void> | undefined

  constructor(sending: Sending) {
    if (!/^multipart\/form-data\b/i.test(sending.contentType)) refuseField('body', 'field.multipart')
    this.#events = readForm(sending.chunks(), sending.contentType)
  }

  get contentType(): string {
    return `multipart/form-data; boundary=${this.#boundary}`
  }

  /** Fields may stand before the file and after it. */
  async findFile(): Promise<void> {
    this.#head = await this.#readFields()
    if (!this.#head) refuseField('file', 'field.required')
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
    let at = 0
    for (;;) {
      for (; at < this.#gone + this.#pieces.length; at++) {
        const piece = this.#pieces[at - this.#gone]
        if (!piece) throw new Error('a piece of a file was sent on, and is not kept')
        yield piece
      }
      if (!this.isKept) {
        this.#pieces = []
        this.#gone = at
      }
      if (this.#isOver) break
      await this.#readMore()
    }
    onReceived()
    const expiry = this.#expiry === undefined ? '' : `\r\n${this.#part(EXPIRY)}${this.#expiry}`
    yield Buffer.from(`${expiry}\r\n--${this.#boundary}--\r\n`)
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
      this.bytes += value.bytes.length
      // What comes next may be written into the same memory.
      this.#pieces.push(Buffer.from(value.bytes))
      return
    }
    if (this.bytes === 0) refuseField('file', 'field.some')
    if (await this.#readFields()) refuseField('file', 'field.repeated')
    this.#isOver = true
  }

  /** Until the file begins, or the form ends. */
  async #readFields(): Promise<PartHead | undefined> {
    for (let event = await this.#events.next(); !event.done; event = await this.#events.next()) {
      const { value } = event
      if (value.kind === 'part') {
        const { name, isFile, fileName = '' } = value.head
        if (isFile !== (name === 'file'))
          refuseField(name.slice(0, 100), isFile ? 'field.no-file' : 'field.file')
        if (isFile && fileName.length > LONGEST_NAME)
          refuseField('filename', 'field.most-characters', { most: LONGEST_NAME })
        if (isFile) return value.head
        if (name !== EXPIRY) refuseNamed(name.slice(0, 100))
        if (this.#expiry !== undefined) refuseField(name, 'field.repeated')
        this.#expiry = ''
      } else if (value.kind === 'bytes') {
        this.#expiry += value.bytes.toString('utf8')
        if ((this.#expiry ?? '').length > LONGEST_FIELD)
          refuseField(EXPIRY, 'field.most-characters', { most: LONGEST_FIELD })
      } else if (!/^\d+$/.test(this.#expiry ?? '')) refuseField(EXPIRY, 'field.whole-from', { least: 0 })
    }
    return undefined
  }
}
