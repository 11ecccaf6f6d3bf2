import type { GeminiFile } from '../../relay/gemini/file-rows.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { geminiRequestsPlace } from '../../store/sealed-places.ts'
import { type FileReading, nothingRead, RequestsReader, unreadable } from './batches/requests-in-file.ts'
import type { UploadStep } from './read-upload.ts'

/** What is written down of a file of requests before any of it has come. */
export function newReading(parts: RelayParts, id: string): string {
  return seal(parts, id, nothingRead)
}

/** What is known of the requests in a file; undefined for one that is none of requests. */
export function readingOf({ store }: RelayParts, { id, requests }: GeminiFile): FileReading | undefined {
  if (requests === null) return undefined
  return JSON.parse(store.cipher.open(geminiRequestsPlace(id), requests)) as FileReading
}

/**
 * Reads a piece of a file of requests while it passes. What its vendor has is what was read only if every piece begins
 * where the one before it ended, and was taken whole: of any other file no batch is made.
 */
export class PassingPiece {
  readonly #parts: RelayParts
  readonly #file: GeminiFile
  readonly #before: FileReading
  readonly #reader: RequestsReader
  readonly #isInTurn: boolean

  private constructor(parts: RelayParts, file: GeminiFile, reading: FileReading, step: UploadStep) {
    this.#parts = parts
    this.#file = file
    this.#before = reading
    this.#reader = new RequestsReader(parts.settings, reading)
    this.#isInTurn = !step.command.startsWith('upload') || step.offset === reading.at
  }

  static of(parts: RelayParts, file: GeminiFile, step: UploadStep): PassingPiece | undefined {
    const reading = step.command === 'query' || step.command === 'cancel' ? undefined : readingOf(parts, file)
    return reading && new PassingPiece(parts, file, reading, step)
  }

  push(bytes: Uint8Array): void {
    if (this.#isInTurn) this.#reader.push(bytes)
  }

  /** The vendor has taken it: `received` is how much that is in all, where it says. */
  async keep(isFinal: boolean, received: string | null): Promise<void> {
    const { id, requests } = this.#file
    if (isFinal) this.#reader.end()
    const read = this.#reader.reading
    const isAll = this.#isInTurn && (received === null || received === String(read.at))
    const isWhole = !isFinal || read.at === this.#file.bytes
    const news = isAll && isWhole ? read : unreadable(this.#before)
    const { numUpdatedRows } = await this.#parts.store.db
      .updateTable('gemini_files')
      .set({ requests: seal(this.#parts, id, news) })
      .where('id', '=', id)
      .where('requests', '=', requests)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return
    // Another piece went by at the same time: nobody knows which of them was taken.
    await this.#parts.store.db
      .updateTable('gemini_files')
      .set({ requests: seal(this.#parts, id, unreadable(this.#before)) })
      .where('id', '=', id)
      .execute()
  }
}

function seal({ store }: RelayParts, id: string, reading: FileReading): string {
  return store.cipher.seal(geminiRequestsPlace(id), JSON.stringify(reading))
}
