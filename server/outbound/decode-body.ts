import { pipeline, Readable, type Transform } from 'node:stream'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

const chunkSize = 65_536
const decoders: Record<string, () => Transform> = {
  gzip: () => createGunzip({ chunkSize }),
  'x-gzip': () => createGunzip({ chunkSize }),
  deflate: () => createInflate({ chunkSize }),
  br: () => createBrotliDecompress({ chunkSize }),
  zstd: () => createZstdDecompress({ chunkSize }),
}

/**
 * Decodes as it is read and no further. The runtime's own decoding is left off because it unpacks everything
 * that has arrived once a request is aborted: a few kilobytes then take a gigabyte of memory.
 * A coding that is not known is null: the bytes go on as they came, their header with them.
 */
export function decodeBody(
  body: ReadableStream<Uint8Array>,
  coding: string | null,
): ReadableStream<Uint8Array> | null {
  const decoder = coding === null ? undefined : decoders[coding.trim().toLowerCase()]?.()
  if (!decoder) return null
  // A failure on either side destroys the decoder, and whoever reads it is told there.
  pipeline(Readable.fromWeb(body as unknown as NodeWebStream), decoder, () => {})
  return Readable.toWeb(decoder) as unknown as ReadableStream<Uint8Array>
}
