import { refuseField } from '../../dialects/refuse.ts'
import { readBoundary } from '../../relay/request/parse-multipart.ts'
import { type PartHead, readPartHead } from '../../relay/request/read-part-head.ts'
import type { Sending } from '../batches/sending.ts'

/** A form while it comes in: the head of a part, its bytes, its end. */
export type FormEvent =
  | { readonly kind: 'part'; readonly head: PartHead }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'end' }

const MOST_PARTS = 64
const LONGEST_HEAD = 8192
const HEAD_END = Buffer.from('\r\n\r\n')
const LINE_END = Buffer.from('\r\n')
const CLOSING = Buffer.from('--')
const nothing = Buffer.alloc(0)

/** A form that a client is sending. */
export function openForm(sending: Sending): AsyncGenerator<FormEvent> {
  if (!/^multipart\/form-data\b/i.test(sending.contentType)) refuseField('body', 'field.multipart')
  return readForm(sending.chunks(), sending.contentType)
}

/** As strict as where a form is read whole; no more of it is held than a head or a boundary. */
export async function* readForm(
  chunks: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<FormEvent> {
  const delimiter = Buffer.from(`\r\n--${readBoundary(contentType)}`)
  // As if a line ended before the first delimiter.
  let rest: Buffer = LINE_END
  let at: 'start' | 'delimiter' | 'head' | 'content' | 'closed' = 'start'
  let parts = 0
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? asBuffer(chunk) : Buffer.concat([rest, chunk])
    for (let isEnough = true; isEnough; ) {
      switch (at) {
        case 'start':
          isEnough = rest.length >= delimiter.length
          if (!isEnough) break
          if (!startsWith(rest, delimiter)) refuseField('body', 'field.form-empty')
          rest = rest.subarray(delimiter.length)
          at = 'delimiter'
          break
        case 'delimiter':
          isEnough = rest.length >= LINE_END.length
          if (!isEnough) break
          if (!startsWith(rest, LINE_END) && !startsWith(rest, CLOSING))
            refuseField('body', 'field.form-boundary')
          at = startsWith(rest, CLOSING) ? 'closed' : 'head'
          rest = rest.subarray(LINE_END.length)
          break
        case 'head': {
          const end = rest.indexOf(HEAD_END)
          if (end > LONGEST_HEAD || (end === -1 && rest.length > LONGEST_HEAD))
            refuseField('body', 'field.form-head-end')
          isEnough = end !== -1
          if (!isEnough) break
          const head = readPartHead(rest.toString('utf8', 0, end))
          if (!head) refuseField('body', 'field.form-head')
          if (++parts > MOST_PARTS) refuseField('body', 'field.form-parts')
          rest = rest.subarray(end + HEAD_END.length)
          at = 'content'
          yield { kind: 'part', head }
          break
        }
        case 'content': {
          const end = rest.indexOf(delimiter)
          isEnough = end !== -1
          // What may be the beginning of a delimiter waits for more.
          const sure = isEnough ? end : rest.length - delimiter.length + 1
          const bytes = rest.subarray(0, Math.max(0, sure))
          rest = rest.subarray(isEnough ? end + delimiter.length : bytes.length)
          if (bytes.length > 0) yield { kind: 'bytes', bytes }
          if (!isEnough) break
          at = 'delimiter'
          yield { kind: 'end' }
          break
        }
        case 'closed':
          rest = nothing
          isEnough = false
      }
    }
  }
  if (at !== 'closed') refuseField('body', 'field.form-cut')
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}

function startsWith(bytes: Buffer, what: Buffer): boolean {
  return bytes.subarray(0, what.length).equals(what)
}
