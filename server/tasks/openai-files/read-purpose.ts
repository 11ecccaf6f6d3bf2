import { parseObject } from '../../dialects/json.ts'
import { KEPT_BYTES } from '../kept/file-form.ts'
import type { FormEvent } from '../kept/read-form.ts'

/** What files of batches are uploaded for. */
export const BATCH = 'batch'
const LONGEST_PURPOSE = 100
const BLOCK = 64 * 1024
const LINE_END = 0x0a

export interface KnownPurpose {
  /** Undefined where the form ends without it, or where it stands behind a file that is too long to wait for. */
  readonly purpose: string | undefined
  readonly isForBatch: boolean
  /** The form from its beginning. */
  readonly events: AsyncIterator<FormEvent>
}

/**
 * What a file is for decides where it goes, and may stand behind it: OpenAI's own client sends it so. Of a short file it
 * is waited for; of a longer one its beginning tells whether it is for a batch, and whoever reads the end checks that.
 */
export async function readPurpose(events: AsyncGenerator<FormEvent>): Promise<KnownPurpose> {
  const read = new ReadEvents()
  let purpose: string | undefined
  let part = { name: '', isFile: false }
  while (read.bytes <= KEPT_BYTES) {
    const { done, value } = await events.next()
    if (done) break
    if (value.kind === 'part') part = value.head
    read.add(value)
    if (part.name !== 'purpose' || part.isFile) continue
    if (value.kind === 'bytes')
      purpose = `${purpose ?? ''}${value.bytes.toString('utf8')}`.slice(0, LONGEST_PURPOSE)
    if (value.kind === 'end') {
      purpose ??= ''
      break
    }
  }
  const isLong = purpose === undefined && read.bytes > KEPT_BYTES
  return {
    purpose,
    isForBatch: purpose === BATCH || (isLong && beginsBatch(read.opening())),
    events: fromStart(read, events),
  }
}

/** What was read of a form, however small the pieces were in which it came. */
class ReadEvents {
  /** Of its file and of whatever stands beside it. */
  bytes = 0
  readonly #events: FormEvent[] = []
  /** Whatever comes next is written behind what is there. */
  #block = Buffer.alloc(0)
  #used = 0

  add(event: FormEvent): void {
    if (event.kind !== 'bytes') {
      this.#events.push(event)
      return
    }
    const { length } = event.bytes
    this.bytes += length
    const hasRoom = this.#events.at(-1)?.kind === 'bytes' && this.#used + length <= this.#block.length
    if (hasRoom) this.#events.pop()
    else {
      this.#block = Buffer.alloc(Math.max(BLOCK, length))
      this.#used = 0
    }
    // What comes next may be written into the same memory.
    event.bytes.copy(this.#block, this.#used)
    this.#used += length
    this.#events.push({ kind: 'bytes', bytes: this.#block.subarray(0, this.#used) })
  }

  /** Of the file, as far as it was read. */
  opening(): Buffer {
    const from = this.#events.findIndex(event => event.kind === 'part' && event.head.isFile)
    const behind = from < 0 ? [] : this.#events.slice(from + 1)
    return Buffer.concat(behind.flatMap(event => (event.kind === 'bytes' ? [event.bytes] : [])))
  }

  take(): FormEvent | undefined {
    return this.#events.shift()
  }
}

/** Whether the first line is a request. */
function beginsBatch(opening: Buffer): boolean {
  const end = opening.indexOf(LINE_END)
  const line = parseObject(opening.toString('utf8', 0, end < 0 ? 0 : end).replace(/^\uFEFF/, ''))
  return line?.custom_id !== undefined && line.body !== undefined
}

async function* fromStart(
  read: ReadEvents,
  rest: AsyncGenerator<FormEvent>,
): AsyncGenerator<FormEvent, void> {
  for (let event = read.take(); event; event = read.take()) yield event
  yield* rest
}
