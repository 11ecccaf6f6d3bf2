import type { Kysely } from 'kysely'
import type { Cipher } from './cipher.ts'
import type { Engine } from './engine.ts'
import type { Schema } from './schema.ts'
import { logContentPlace } from './sealed-places.ts'
import { unlessThere } from './upsert.ts'

/** What was asked and answered in one call, each as it went over the wire, without what was too long. */
export interface Content {
  readonly requestId: string
  readonly userId: number
  /** When the call began, in seconds since 1970. */
  readonly createdAt: number
  readonly request: Uint8Array
  readonly answer: Uint8Array
  /** What the events of a streamed answer say; empty of others. */
  readonly words: Uint8Array
  /** Bytes that were too many to keep. */
  readonly requestLeftOut: number
  readonly answerLeftOut: number
  readonly wordsLeftOut: number
}

interface ContentStore {
  readonly db: Kysely<Schema>
  readonly engine: Engine
  readonly cipher: Cipher
}

/** One statement. What is there already stays: it came from an attempt of which nobody heard. */
export async function putContents(store: ContentStore, contents: readonly Content[]): Promise<void> {
  if (contents.length === 0) return
  const rows = await Promise.all(contents.map(content => rowOf(store, content)))
  await store.db.insertInto('log_contents').values(rows).$call(unlessThere(store.engine)).execute()
}

async function rowOf({ cipher }: ContentStore, content: Content) {
  const { requestId, userId, createdAt } = content
  // Away from the event loop. Events of a stream are a tenth of their size then.
  const packed = await Bun.zstdCompress(pack(content))
  return {
    request_id: requestId,
    user_id: userId,
    created_at: createdAt,
    content_sealed: cipher.seal(logContentPlace(requestId), packed),
  }
}

/** A line of figures, and behind it one after the other. */
function pack({ request, answer, words, ...figures }: Content): Buffer<ArrayBuffer> {
  const { requestLeftOut, answerLeftOut, wordsLeftOut } = figures
  const line = [request.length, answer.length, requestLeftOut, answerLeftOut, wordsLeftOut].join(' ')
  return Buffer.concat([Buffer.from(`${line}\n`), request, answer, words])
}

export async function findContent(
  { db, cipher }: Omit<ContentStore, 'engine'>,
  requestId: string,
): Promise<Content | undefined> {
  const row = await db
    .selectFrom('log_contents')
    .selectAll()
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  if (!row) return undefined
  const packed = cipher.openBytes(logContentPlace(requestId), row.content_sealed)
  const bytes = await Bun.zstdDecompress(packed)
  const start = bytes.indexOf('\n') + 1
  const figures = bytes.toString('utf8', 0, start).split(' ').map(Number)
  const [length = 0, answerLength = 0, requestLeftOut = 0, answerLeftOut = 0, wordsLeftOut = 0] = figures
  const end = start + length
  return {
    requestId,
    userId: row.user_id,
    createdAt: row.created_at,
    request: bytes.subarray(start, end),
    answer: bytes.subarray(end, end + answerLength),
    words: bytes.subarray(end + answerLength),
    requestLeftOut,
    answerLeftOut,
    wordsLeftOut,
  }
}
